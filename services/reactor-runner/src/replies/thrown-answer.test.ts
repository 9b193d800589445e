import { KnownValues } from '@glovebox/platform/redaction/known-values';
import { expect } from 'chai';

import { thrownAnswer } from './thrown-answer.ts';

const thrown = (name: string, answer: object | string, message = '') =>
  JSON.stringify({
    name,
    message,
    stack: '',
    answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
  });

describe('what code answers by throwing', () => {
  const refused: [what: string, json: string, status: number, detail: string, problems: object][] = [
    [
      'a class by its name',
      thrown('AuthenticationError', { status: 401, errors: { error: ['no key'] } }, 'Authentication Failed'),
      401,
      'Authentication Failed',
      [{ path: 'error', messages: ['no key'] }],
    ],
    [
      'a class of the same name without errors',
      thrown('RateLimitError', { status: 429 }, 'slow down'),
      429,
      'Rate Limit Exceeded',
      [{ path: 'error', messages: ['slow down'] }],
    ],
    [
      'the status that the error has, not that of its class',
      thrown('BadRequestError', { status: 418, errors: {} }),
      418,
      'Bad Request',
      [],
    ],
    ['a base class', thrown('VendorReactorError', { status: 409, errors: {} }, 'Busy'), 409, 'Busy', []],
    [
      'whatever describes itself',
      thrown('Mine', { status: 404, isProblem: true }),
      404,
      'Reactor Runtime Error',
      [],
    ],
    [
      'what it says of itself',
      thrown('Mine', { status: 409, errors: { a: ['b'] }, detail: 'Conflict', isProblem: true }, 'm'),
      409,
      'Conflict',
      [{ path: 'a', messages: ['b'] }],
    ],
    [
      'errors of any shape',
      thrown('BadRequestError', { status: 400, errors: { a: 'x', b: [1, null], c: { d: 1 } } }, 'm'),
      400,
      'm',
      [
        { path: 'a', messages: ['x'] },
        { path: 'b', messages: ['1', 'null'] },
        { path: 'c', messages: ['{"d":1}'] },
      ],
    ],
  ];
  for (const [what, json, status, detail, problems] of refused) {
    it(`is a refusal with its own status for ${what}`, () => {
      expect(thrownAnswer(json)).to.deep.equal({ $case: 'refused', value: { status, detail, problems } });
    });
  }

  it('is a whole response for the class that holds one', () => {
    const answer = thrownAnswer(
      thrown('CustomHttpResponseError', { status: 202, headers: { A: 'b' }, body: { c: 1 } }),
    );
    expect(answer?.$case).to.equal('responded');
    if (answer?.$case !== 'responded') return;
    expect(answer.value.status).to.equal(202);
    expect(JSON.parse(answer.value.json.toString())).to.deep.equal({ headers: { A: 'b' }, body: { c: 1 } });
  });

  it('is a whole response without a body that is too large to be looked through, for an anonymous caller', () => {
    const known = new KnownValues();
    known.add('"4242424242424242"');
    const answer = thrownAnswer(
      thrown('CustomHttpResponseError', {
        status: 402,
        headers: { a: 'b' },
        body: { c: 'm'.repeat(70_000) },
      }),
      { known, instead: 'The code failed.' },
    );
    if (answer?.$case !== 'responded') return expect.fail('no response');
    expect(answer.value.status).to.equal(402);
    return expect(JSON.parse(answer.value.json.toString())).to.deep.equal({ headers: { a: 'b' } });
  });

  const none: [string, string][] = [
    ['an error without a status', thrown('Error', '')],
    ['an HTTP client’s error, although it has a status', thrown('AxiosError', { status: 404 })],
    ['a status that is no error', thrown('BadRequestError', { status: 200 })],
    ['a status that HTTP does not have', thrown('BadRequestError', { status: 1e9 })],
    ['a response with an informational status', thrown('CustomHttpResponseError', { status: 101 })],
    ['a response with a status that is text', thrown('CustomHttpResponseError', { status: '200' })],
    ['no JSON', '{'],
    ['JSON that is no object', 'null'],
    ['an answer that is no JSON', thrown('BadRequestError', '{{')],
    ['an answer that is no object', thrown('BadRequestError', '5')],
  ];
  for (const [what, json] of none) {
    it(`is nothing for ${what}`, () => {
      expect(thrownAnswer(json)).to.equal(undefined);
    });
  }

  it('is cut when it is long', () => {
    const errors = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, 'v'.repeat(9000)]));
    const answer = thrownAnswer(thrown('BadRequestError', { status: 400, errors }));
    expect(JSON.stringify(answer).length).to.be.lessThan(500_000);
  });
});
