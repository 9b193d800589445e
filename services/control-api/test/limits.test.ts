import { expect } from 'chai';

import type { InputLimits } from '../src/input-limits.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';

const inputLimits: InputLimits = {
  bodyBytes: 2000,
  heldBytes: 2000,
  codeLength: 60,
  settings: 2,
  settingLength: 5,
  declarations: 1,
  transforms: 1,
  transformValueLength: 20,
  patternLength: 3,
};

const proxy = { name: 'p', destination_url: 'https://example.com' };
const code = 'module.exports = async (req) => req.args;';
const longCode = `${code}// beyond what the operator allows`;
const three = { a: '1', b: '2', c: '3' };

/** What is sent, and all that is wrong with it. */
const refused: readonly [name: string, request: string, body: object, problems: Record<string, string[]>][] =
  [
    [
      'code of a transform, entries, transforms of a side',
      'POST /proxies',
      {
        ...proxy,
        configuration: three,
        request_transform: { code: longCode },
        response_transforms: [{}, {}],
      },
      {
        configuration: ['must have at most 2 entries'],
        'request_transform.code': ['must be at most 60 characters long'],
        response_transforms: ['must have at most 1 items'],
      },
    ],
    [
      'a value of a configuration, and a pattern',
      'POST /proxies',
      {
        ...proxy,
        configuration: { a: '123456' },
        response_transform: { type: 'mask', matcher: 'regex', expression: '(abc)', replacement: '*' },
      },
      {
        'configuration.a': ['must be at most 5 characters long'],
        'response_transform.expression': ['must be at most 3 characters long'],
      },
    ],
    [
      'what a transform appends, and makes',
      'POST /proxies',
      {
        ...proxy,
        request_transform: {
          type: 'tokenize',
          options: { identifier: 'a', token: { data: 'a longer value' } },
        },
        response_transform: { type: 'append_text', options: { value: 'x'.repeat(21) } },
      },
      {
        'request_transform.options.token': ['must be at most 20 characters of JSON'],
        'response_transform.options.value': ['must be at most 20 characters long'],
      },
    ],
    [
      'what a formula declares, and its code',
      'POST /reactor-formulas',
      {
        type: 'private',
        name: 'f',
        code: longCode,
        configuration: [
          { name: 'A', type: 'string' },
          { name: 'B', type: 'string' },
        ],
      },
      { code: ['must be at most 60 characters long'], configuration: ['must have at most 1 items'] },
    ],
    [
      'code and configuration of a reactor',
      'POST /reactors',
      { name: 'r', code: longCode, configuration: three },
      { code: ['must be at most 60 characters long'], configuration: ['must have at most 2 entries'] },
    ],
  ];

describe('the limits of what the management API takes', () => {
  let api: TestApi;

  before(async () => {
    api = await startTestApi({ sealer: reversingSealer }, { ...(await newInstallation()), inputLimits });
  });

  after(() => api[Symbol.asyncDispose]());

  for (const [name, request, body, problems] of refused)
    it(`are those that the operator has set: ${name}`, async () => {
      const answer = await api.send(request, { body });
      expect([answer.status, answer.body.errors]).to.deep.equal([400, problems]);
    });

  it('hold for a body, and for what a patch leads to', async () => {
    const large = await api.send('POST /proxies', { body: { ...proxy, name: 'x'.repeat(2000) } });
    expect(large.status).to.equal(413);
    const created = await api.send('POST /proxies', {
      body: { ...proxy, configuration: { a: '1', b: '2' }, request_transform: { code } },
    });
    expect(created.status, created.text).to.equal(201);
    const patched = await api.send(`PATCH /proxies/${created.body.id}`, {
      body: { configuration: { c: '3' } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect([patched.status, patched.body.errors]).to.deep.equal([
      400,
      { configuration: ['must have at most 2 entries'] },
    ]);
  });
});
