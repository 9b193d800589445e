import { expect } from 'chai';

import { type PackageRunner, startPackageRunner } from './package-runner.ts';

const module = '@basis-theory/basis-theory-reactor-formulas-sdk-js';

const classes: Record<string, [status: number, detail: string]> = {
  BadRequestError: [400, 'Bad Request'],
  InvalidReactorConfigurationError: [400, 'Invalid Reactor Configuration'],
  AuthenticationError: [401, 'Authentication Failed'],
  InvalidPaymentMethodError: [402, 'Invalid Payment Method'],
  AuthorizationError: [403, 'Forbidden'],
  RateLimitError: [429, 'Rate Limit Exceeded'],
  ReactorRuntimeError: [500, 'Reactor Runtime Error'],
  ServiceUnavailableError: [503, 'Service Unavailable'],
};

const fallback = 'Something went wrong.';
/** JavaScript of the argument, and the errors that come of it (contract/errors.md#thrown-errors). */
const rows: [argument: string, errors: object][] = [
  [`'m'`, { error: ['m'] }],
  [`['a', 5, { b: 1 }, undefined]`, { error: ['a', '5', '{"b":1}', fallback] }],
  [`new RangeError('too far')`, { error: ['too far'] }],
  [`new Error('')`, { error: [fallback] }],
  [`Object.assign(new Error(''), { name: 'DeclineError' })`, { error: ['DeclineError'] }],
  [
    `{ list: ['x', { y: 1 }], inner: { z: 1 }, text: 't', none: null }`,
    { list: ['x', '{"y":1}'], inner: ['{"z":1}'], text: ['t'], none: [fallback] },
  ],
  ['5', { error: ['5'] }],
  ['undefined', { error: [fallback] }],
  ['null', { error: [fallback] }],
  [`''`, { error: [fallback] }],
  [`(() => { const a = { b: 1 }; a.self = a; return { a }; })()`, { a: ['{"b":1,"self":"[Circular]"}'] }],
];

describe('the errors of reactors within user code', () => {
  let packages: PackageRunner;
  before(async () => {
    packages = await startPackageRunner();
  });
  after(() => packages[Symbol.asyncDispose]());

  for (const [name, [status, detail]] of Object.entries(classes)) {
    it(`are made of every argument: ${name}`, async () => {
      const value = await packages.valueOf(`
        const { ${name}, BasisTheoryReactorError } = require('${module}');
        return [${rows.map(([argument]) => argument).join(', ')}].map((argument) => {
          try {
            throw new ${name}(argument);
          } catch (error) {
            const isOurs = error instanceof BasisTheoryReactorError && error instanceof Error;
            return [isOurs, error.name, error.message, error.status, error.errors, error.toRFC7807(), error.stack.includes('main.js:')];
          }
        });`);
      expect(value).to.deep.equal(
        rows.map(([, errors]) => [true, name, detail, status, errors, { detail, status, errors }, true]),
      );
    });
  }

  it('have a base, a class that is a whole response, and a name of our own', async () => {
    const value = await packages.valueOf(`
      const errors = require('${module}');
      const { BasisTheoryReactorError, CustomHttpResponseError } = errors;
      const attempt = (argument) => {
        try { return new CustomHttpResponseError(argument).toResponseBody(); } catch (error) { return error.message; }
      };
      return [new BasisTheoryReactorError({ message: 'Busy', status: 409, errors: 'e' }).toRFC7807(),
        attempt({ status: 202, headers: { a: 'b' }, body: [1] }), attempt({ status: 302 }), attempt({ status: '200' }),
        require('@glovebox/reactor-errors') === errors, Object.keys(errors).sort()];`);
    expect(value).to.deep.equal([
      { detail: 'Busy', status: 409, errors: { error: ['e'] } },
      { status: 202, headers: { a: 'b' }, body: [1] },
      { status: 302, headers: {}, body: {} },
      'status is not a valid integer',
      true,
      ['BasisTheoryReactorError', 'CustomHttpResponseError', ...Object.keys(classes)].toSorted(),
    ]);
  });
});
