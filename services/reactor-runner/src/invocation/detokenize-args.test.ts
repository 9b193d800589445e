import { defaultLimits } from '@glovebox/expressions/limits';
import { AppError } from '@glovebox/platform/errors/app-error';
import { type Detokenize, UsePurpose } from '@glovebox/protos/vault/v1/vault';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';
import { expect } from 'chai';

import { detokenizeArgs } from './detokenize-args.ts';

const { signal } = new AbortController();
const lifetime = { deadline: Number.POSITIVE_INFINITY, cancelled: false, signal };
const invoker = { credential: 'key_of_the_caller', correlationId: 'c', trace: undefined, lifetime, depth: 0 };

describe('detokenizing the arguments of a reactor', () => {
  let asked: { caller: VaultCaller; use: Detokenize }[];
  const reach = { destination: 'callback.example:443', code: ['api.example:443'], anywhere: false };
  beforeEach(() => {
    asked = [];
  });

  const detokenize = (args: string, values: Record<string, unknown>, argumentBytes = 1000) => {
    const vault = {
      detokenize: async (asking: VaultCaller, use: Detokenize) => {
        asked.push({ caller: asking, use });
        return {
          values: use.expressions.map((expression) => JSON.stringify(values[expression])),
          readable: [],
        };
      },
    };
    const context = { vault, limits: { argumentBytes, expressions: defaultLimits } };
    return detokenizeArgs(context, Buffer.from(args), invoker, { id: 'r', version: 1 }, reach);
  };

  const rows: [what: string, args: string, values: Record<string, unknown>, expected: string][] = [
    ['a whole string', '{"a":"{{ t }}"}', { t: 'v' }, '{"a":"v"}'],
    [
      'plain text and several tokens mixed (rule 1)',
      '{"a":"x {{t}}, {{ u | last4 }}!"}',
      { t: 'v', 'u | last4': 5 },
      '{"a":"x v, 5!"}',
    ],
    ['strings at any depth', '{"a":[{"b":["{{t}}"]}]}', { t: 1 }, '{"a":[{"b":[1]}]}'],
    [
      'complex data whole (rule 2)',
      '{"card":"{{t}}"}',
      { t: { number: '42', cvc: null } },
      '{"card":{"number":"42","cvc":null}}',
    ],
    ['all of the arguments', '"{{t}}"', { t: { a: 1 } }, '{"a":1}'],
    [
      'no other byte',
      '{ "n" : 12345678901234567890.10, "a":"{{t}}" }',
      { t: 1 },
      '{ "n" : 12345678901234567890.10, "a":1 }',
    ],
    ['no name', '{"{{t}}":"{{t}}"}', { t: 1 }, '{"{{t}}":1}'],
  ];
  for (const [what, args, values, expected] of rows) {
    it(`replaces ${what}`, async () => {
      const detokenized = await detokenize(args, values);
      expect(detokenized.args).to.equal(expected);
      // A failure's text is searched for these.
      const filled = Object.values(values).map((value) => JSON.stringify(value));
      expect(detokenized.values).to.deep.equal(filled);
    });
  }

  it('asks once, as the caller, for each expression once, and says what for', async () => {
    await detokenize('{"a":"{{t}}{{u}}","b":"{{ t }}"}', { t: 1, u: 2 });
    expect(asked).to.have.length(1);
    expect(asked[0]?.caller.credential).to.equal('key_of_the_caller');
    expect(asked[0]?.use).to.deep.equal({
      expressions: ['t', 'u'],
      purpose: UsePurpose.USE_PURPOSE_REACTOR,
      purposeId: 'r',
      reactorVersion: 1,
      reach,
    });
  });

  it('says which values the invoker may not get back: those that it can neither read nor has sent', async () => {
    const vault = {
      detokenize: async () => ({
        values: ['{"a":"secret one","b":"short"}', '"readable"', '"in plain"'],
        readable: [false, true],
      }),
    };
    const context = { vault, limits: { argumentBytes: 1000, expressions: defaultLimits } };
    const args = Buffer.from('["{{t}}","{{u}}","{{v}}","bm90ID8-aW4gcGxhaW4"]');
    expect(await detokenizeArgs(context, args, invoker, { id: 'r', version: 1 }, reach)).to.deep.include({
      guarded: ['secret one'],
    });
  });

  it('does not call the vault when there is no expression', async () => {
    expect(await detokenize('{"a":"}} { {"}', {})).to.deep.equal({
      args: '{"a":"}} { {"}',
      values: [],
      guarded: [],
    });
    expect(asked).to.deep.equal([]);
  });

  it('refuses what is malformed, too deep or would be too large', async () => {
    const failures: [args: string, code: string][] = [
      ['{"a":"{{t"}', 'invalid_argument'],
      ['{"a":"{{}}"}', 'invalid_argument'],
      [`{"a":${'['.repeat(600)}${']'.repeat(600)}}`, 'invalid_argument'],
      [`{"a":"${'{{t}}'.repeat(1001)}"}`, 'invalid_argument'],
      [`{"a":"${'{{t}}'.repeat(101)}"}`, 'too_large'],
    ];
    for (const [args, code] of failures) {
      const error = await detokenize(args, { t: '0123456789' }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof AppError)) throw new Error(`expected an AppError for ${args.slice(0, 40)}`);
      expect(error.code).to.equal(code);
    }
  });
});
