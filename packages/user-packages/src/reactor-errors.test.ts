import { expect } from 'chai';

import * as errors from './reactor-errors.ts';

const { BadRequestError, BasisTheoryReactorError, CustomHttpResponseError, InvalidPaymentMethodError } =
  errors;
const classes = [
  [errors.BadRequestError, 'BadRequestError', 400, 'Bad Request'],
  [
    errors.InvalidReactorConfigurationError,
    'InvalidReactorConfigurationError',
    400,
    'Invalid Reactor Configuration',
  ],
  [errors.AuthenticationError, 'AuthenticationError', 401, 'Authentication Failed'],
  [errors.InvalidPaymentMethodError, 'InvalidPaymentMethodError', 402, 'Invalid Payment Method'],
  [errors.AuthorizationError, 'AuthorizationError', 403, 'Forbidden'],
  [errors.RateLimitError, 'RateLimitError', 429, 'Rate Limit Exceeded'],
  [errors.ReactorRuntimeError, 'ReactorRuntimeError', 500, 'Reactor Runtime Error'],
  [errors.ServiceUnavailableError, 'ServiceUnavailableError', 503, 'Service Unavailable'],
] as const;

const fallback = ['Something went wrong.'];
const circular: Record<string, unknown> = { a: 1, twice: [{ b: 2 }] };
circular['self'] = circular;
const nameless = new Error('');
nameless.name = 'DeclineError';

/** Every kind of argument (contract/errors.md#thrown-errors). */
const given: [what: string, argument: unknown, errors: object][] = [
  ['a string', 'm', { error: ['m'] }],
  ['an empty string', '', { error: fallback }],
  ['undefined', undefined, { error: fallback }],
  ['null', null, { error: fallback }],
  [
    'an array',
    ['a', 5, true, { b: [1] }, undefined],
    { error: ['a', '5', 'true', '{"b":[1]}', ...fallback] },
  ],
  ['an empty array', [], { error: fallback }],
  ['an error', new TypeError('broken'), { error: ['broken'] }],
  ['an error without a message', new Error(''), { error: fallback }],
  ['an error with nothing but a name', nameless, { error: ['DeclineError'] }],
  [
    'an object',
    { list: ['a', 1], inner: { b: 2 }, text: 'c', number: 7, nothing: null, zero: 0, none: undefined },
    {
      list: ['a', '1'],
      inner: ['{"b":2}'],
      text: ['c'],
      number: ['7'],
      nothing: fallback,
      zero: fallback,
      none: fallback,
    },
  ],
  ['an empty object', {}, { error: fallback }],
  ['a number', 5, { error: ['5'] }],
  ['a boolean', false, { error: ['false'] }],
  ['a bigint', 7n, { error: ['7'] }],
  [
    'what is within itself',
    [circular, circular],
    {
      error: [
        '{"a":1,"twice":[{"b":2}],"self":"[Circular]"}',
        '{"a":1,"twice":[{"b":2}],"self":"[Circular]"}',
      ],
    },
  ],
];

describe('the errors that say what a caller is answered', () => {
  for (const [Class, name, status, detail] of classes) {
    it(`are Errors with a status and a detail: ${name}`, () => {
      const error = new Class('m');
      expect(error).to.be.instanceOf(BasisTheoryReactorError).and.instanceOf(Error);
      expect([error.name, error.message, error.status]).to.deep.equal([name, detail, status]);
      expect(error.toRFC7807()).to.deep.equal({ detail, status, errors: { error: ['m'] } });
    });
  }

  for (const [what, argument, expected] of given) {
    it(`tell what was wrong, when that is ${what}`, () => {
      expect(new BadRequestError(argument).errors).to.deep.equal(expected);
    });
  }

  it('have a base that takes all of it', () => {
    const error = new BasisTheoryReactorError({ message: 'Busy', status: 409, errors: { a: 'b' } });
    expect(error.toRFC7807()).to.deep.equal({ detail: 'Busy', status: 409, errors: { a: ['b'] } });
  });

  it('have classes of their own name below them', () => {
    class DeclinedReactorError extends InvalidPaymentMethodError {}
    expect(new DeclinedReactorError().name).to.equal('DeclinedReactorError');
  });

  it('may be a whole response, of any status that HTTP has', () => {
    const whole = new CustomHttpResponseError({ status: 202, headers: { A: 'b' }, body: 'text' });
    expect(whole.toResponseBody()).to.deep.equal({ status: 202, headers: { A: 'b' }, body: 'text' });
    expect(whole).to.be.instanceOf(Error).and.have.property('name', 'CustomHttpResponseError');
    expect(new CustomHttpResponseError({ status: 400 }).toResponseBody()).to.deep.equal({
      status: 400,
      headers: {},
      body: {},
    });
  });

  for (const status of [100, 199, 204, 302, 599]) {
    it(`take a response whose status is ${status}`, () => {
      expect(new CustomHttpResponseError({ status }).status).to.equal(status);
    });
  }
  for (const status of [99, 0, -1, 600, 700, 1e9]) {
    it(`refuse a response whose status is ${status}, and say so`, () => {
      expect(() => new CustomHttpResponseError({ status })).to.throw(
        `status must be from 100 to 599, and ${status} is not`,
      );
    });
  }

  for (const status of ['200', 200.5, undefined, Number.NaN]) {
    it(`refuse a response whose status is ${typeof status} ${status}`, () => {
      expect(() => new CustomHttpResponseError({ status })).to.throw('status is not a valid integer');
    });
  }
});
