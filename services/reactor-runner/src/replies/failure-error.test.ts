import { KnownValues } from '@glovebox/platform/redaction/known-values';
import { expect } from 'chai';

import { type Failure, isMisbehaviour } from '../worker-protocol/outcome.ts';
import { failureError } from './failure-error.ts';

describe('what a tenant reads about a failed run', () => {
  const table: [Failure, string, string, object][] = [
    [
      { kind: 'timeout' },
      'internal',
      'Reactor Runtime Error',
      { error: ['The code did not finish within its time limit.'] },
    ],
    [
      { kind: 'timeout', limitMs: 30_000 },
      'internal',
      'Reactor Runtime Error',
      { error: ['The code did not finish within its time limit of 30 seconds.'] },
    ],
    [
      { kind: 'memory', limitMb: 128 },
      'internal',
      'Reactor Runtime Error',
      { error: ['The code used more memory than it may, which is 128 MiB.'] },
    ],
    [
      { kind: 'memory' },
      'internal',
      'Reactor Runtime Error',
      { error: ['The code used more memory than it may.'] },
    ],
    [
      { kind: 'crashed' },
      'internal',
      'Reactor Runtime Error',
      { error: ['The process that ran the code ended unexpectedly.'] },
    ],
    [
      { kind: 'result_too_large' },
      'internal',
      'Reactor Runtime Error',
      { error: ['The result of the code is too large.'] },
    ],
    [
      { kind: 'not_a_function', reason: 'module.exports must be a function' },
      'unprocessable',
      'Invalid Reactor Formula',
      { code: ['module.exports must be a function'] },
    ],
    [
      { kind: 'bad_argument' },
      'invalid_argument',
      'argument: must be JSON text',
      { argument: ['must be JSON text'] },
    ],
    [{ kind: 'cancelled' }, 'cancelled', 'The request was cancelled.', {}],
  ];
  for (const [failure, code, message, errors] of table) {
    it(`is code ${code} after ${failure.kind}`, () => {
      const error = failureError(failure);
      expect(error).to.include({ code, message });
      expect(error.errors).to.deep.equal(errors);
    });
  }

  for (const status of [101, 700, '200', undefined]) {
    it(`says which statuses a response may have, of one with ${JSON.stringify(status)}`, () => {
      const answer = JSON.stringify({ status, body: {} });
      const name = 'CustomHttpResponseError';
      const thrown = JSON.stringify({ name, message: 'Custom HTTP Response', stack: '', answer });
      expect(failureError({ kind: 'threw', thrown }).errors).to.deep.equal({
        error: [
          `${name}: the status of a response must be a number from 200 to 599, and ${JSON.stringify(status)} is not`,
        ],
      });
    });
  }

  it('takes no place for it that only the message names', () => {
    const message = 'see main.js:99:1';
    const stack = (frames: string) =>
      JSON.stringify({ name: 'Error', message, stack: `Error: ${message}${frames}` });
    const errorsOf = (thrown: string) => failureError({ kind: 'threw', thrown }).errors;
    expect(errorsOf(stack('\n    at main.js:2:3'))).to.deep.equal({
      error: [`Error: ${message} (main.js:2:3)`],
    });
    expect(errorsOf(stack(''))).to.deep.equal({ error: [`Error: ${message}`] });
  });

  it('is what was thrown and where, with only the first place in its own file', () => {
    const thrown = JSON.stringify({
      name: 'TypeError',
      message: 'x is not a function',
      stack:
        'TypeError: x is not a function\n    at y (<isolated-vm>:1:2)\n    at z (main.js:12:7)\n    at main.js:30:1',
    });
    const error = failureError({ kind: 'threw', thrown });
    expect(error.errors).to.deep.equal({ error: ['TypeError: x is not a function (main.js:12:7)'] });
    expect(error.message).to.equal('Reactor Runtime Error');
  });

  it('is something whatever an isolate claims to have thrown', () => {
    for (const thrown of [
      '',
      '{',
      'null',
      '5',
      '[]',
      '{"name":5,"message":{}}',
      '{"__proto__":{"name":"x"}}',
    ]) {
      const { errors } = failureError({ kind: 'threw', thrown });
      expect(errors['error']?.[0], thrown).to.be.a('string').and.not.equal('');
    }
  });

  it('is cut when it is long', () => {
    const thrown = JSON.stringify({ name: 'Error', message: 'm'.repeat(100_000), stack: '' });
    expect(failureError({ kind: 'threw', thrown }).errors['error']?.[0]?.length).to.be.lessThan(4100);
  });

  it('shows no value that its code knew, nor the beginning of one where it was cut, and still names the place', () => {
    const known = new KnownValues();
    known.add('"4242424242424242"');
    const errorsOf = (message: string) => {
      const thrown = JSON.stringify({ name: 'Error', message, stack: `Error: ${message}\n at main.js:3:9` });
      return failureError({ kind: 'threw', thrown }, { known, instead: undefined }).errors['error']?.[0];
    };
    expect(errorsOf('4242424242424242 is wrong')).to.equal('Error: *** is wrong (main.js:3:9)');
    expect(errorsOf(`main.js:424242424:2424242`)).to.not.contain('4242');
  });

  it('stays whole until the gateway has struck out what it knows: no place or hint follows what may be cut', () => {
    const pan = '4242424242424242';
    const filled = new KnownValues();
    filled.add(JSON.stringify(pan));
    for (let before = 1970; before <= 2000; before += 1) {
      const message = `${'m'.repeat(before)}${pan}`;
      const thrown = JSON.stringify({ name: 'Error', message, stack: `Error: ${message}\n at main.js:3:9` });
      const shown = filled.redactError(failureError({ kind: 'threw', thrown }, undefined, 'A hint.'));
      expect(JSON.stringify(shown.errors), `after ${before}`).to.not.contain('4242');
    }
  });

  it('names as misbehaviour only what makes the worker process unfit', () => {
    const kinds = ['timeout', 'memory', 'crashed', 'result_too_large', 'bad_argument', 'cancelled'] as const;
    expect(kinds.filter((kind) => isMisbehaviour({ kind }))).to.deep.equal(['timeout', 'memory', 'crashed']);
  });
});
