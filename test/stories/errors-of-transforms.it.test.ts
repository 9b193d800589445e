import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

const fallback = 'Something went wrong.';
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
/** JavaScript of the argument, and the errors that the caller reads (contract/errors.md#thrown-errors). */
const rows: [argument: string, errors: Record<string, string[]>][] = [
  [`'m'`, { error: ['m'] }],
  [`['a', 5, { b: 1 }, undefined]`, { error: ['a', '5', '{"b":1}', fallback] }],
  [`new RangeError('too far')`, { error: ['too far'] }],
  [`new Error('')`, { error: [fallback] }],
  [
    `{ list: ['x', { y: 1 }], inner: { z: 1 }, text: 't', none: null }`,
    { list: ['x', '{"y":1}'], inner: ['{"z":1}'], text: ['t'], none: [fallback] },
  ],
  ['5', { error: ['5'] }],
  ['undefined', { error: [fallback] }],
  [`(() => { const a = { b: 1 }; a.self = a; return { a }; })()`, { a: ['{"b":1,"self":"[Circular]"}'] }],
];

/** contract/errors.md#thrown-errors: the errors of the package, in code that requires it. */
describe('what a transform throws of the error package is what the caller is answered:', () => {
  const story = transformStory();
  const { onRequest, onResponse, post } = story;
  const code = `({ args: { body } }) => {
    const errors = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');
    const rows = [${rows.map(([argument]) => argument).join(', ')}];
    throw new errors[body.name](body.name === 'CustomHttpResponseError' ? body.response : rows[body.row]);
  }`;
  let known: Json;
  /** A proxy with that code, once the packages are there: they are bundled when a runner first starts. */
  const prepared = async () => {
    if (known !== undefined) return known;
    const made = await onRequest(code);
    const probe = async () => (await post(made, { body: { name: 'RateLimitError', row: 0 } })).status === 429;
    await until('packages are there', probe, 50_000);
    known = made;
    return made;
  };

  for (const [name, [status, detail]] of Object.entries(classes)) {
    it(`${name}, with every argument`, async () => {
      const proxy = await prepared();
      for (const [row, [argument, errors]] of rows.entries()) {
        const answer = await post(proxy, { body: { name, row } });
        expect([answer.status, Object.keys(answer.json)], argument).to.deep.equal([status, ['proxy_error']]);
        const title = 'One or more validation errors occurred.';
        expect(answer.json.proxy_error, argument).to.deep.include({ errors, title, status, detail });
      }
      expect(story.destination.received).to.have.length(0);
    });
  }

  it('CustomHttpResponseError, as a whole response', async () => {
    const proxy = await prepared();
    const response = { status: 418, headers: { 'X-Kind': 'teapot' }, body: { a: [1] } };
    const answer = await post(proxy, { body: { name: 'CustomHttpResponseError', response } });
    expect([answer.status, answer.json, answer.headers['x-kind']]).to.deep.equal([418, { a: [1] }, 'teapot']);
    const wrong: [status: unknown, told: string][] = [
      ['200', 'status is not a valid integer'],
      [700, 'status must be from 100 to 599, and 700 is not'],
      [103, 'the status of a response must be a number from 200 to 599, and 103 is not'],
    ];
    for (const [status, told] of wrong) {
      const body = { name: 'CustomHttpResponseError', response: { status } };
      const refused = await post(proxy, { body });
      expect([status, refused.status]).to.deep.equal([status, 500]);
      expect(refused.text).to.contain(told);
    }
  });

  it('also of a response, in place of the destination’s', async () => {
    story.answering('application/json', '{"name":"RateLimitError","row":0}');
    const answer = await post(await onResponse(code));
    expect([answer.status, answer.json.proxy_error.errors]).to.deep.equal([429, { error: ['m'] }]);
    expect(story.destination.received).to.have.length(1);
  });
});
