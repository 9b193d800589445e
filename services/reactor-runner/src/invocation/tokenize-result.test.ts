import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';
import { expect } from 'chai';

import { tokenizeResult } from './tokenize-result.ts';

const { signal } = new AbortController();
const lifetime = { deadline: Number.POSITIVE_INFINITY, cancelled: false, signal };
const invoker = { credential: 'key', correlationId: 'c', trace: undefined, lifetime, depth: 0 };
const acting = { owner: { $case: 'reactorId', value: 'r' }, version: 1, applicationId: 'a' } as const;

describe('the tokenize block of a result', () => {
  let asked: VaultCaller['credential'][] = [];
  const tokenize = (block: string | undefined, delegation: typeof acting | undefined, error?: Error) => {
    asked = [];
    const vault = {
      tokenize: async (asking: VaultCaller, body: Buffer) => {
        asked.push(asking.credential);
        if (error !== undefined) throw error;
        return Buffer.from(`tokens of ${body.toString()}`);
      },
    };
    return tokenizeResult({ vault }, block, invoker, { delegation });
  };

  it('becomes tokens of the reactor’s application, or of the caller’s', async () => {
    expect(String(await tokenize('{"a":1}', acting))).to.equal('tokens of {"a":1}');
    expect(asked).to.deep.equal([acting]);
    await tokenize('{"a":1}', undefined);
    expect(asked).to.deep.equal(['key']);
  });

  it('does not call the vault when there is none', async () => {
    expect(await tokenize(undefined, acting)).to.equal(undefined);
    expect(asked).to.deep.equal([]);
  });

  it('says where in the result something is wrong', async () => {
    const problems = { $: ['a'], 'card.data.number': ['b'], '[0].type': ['c'] };
    const error = await tokenize('{}', undefined, validationError(problems)).catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof AppError)) throw new Error('expected an AppError');
    expect(error).to.include({ code: 'invalid_argument', message: 'tokenize: a' });
    expect(error.errors).to.deep.equal({
      tokenize: ['a'],
      'tokenize.card.data.number': ['b'],
      'tokenize[0].type': ['c'],
    });
  });

  it('passes on why the vault refuses it', async () => {
    const refusal = new AppError('permission_denied', 'no');
    expect(await tokenize('{}', undefined, refusal).catch((thrown: unknown) => thrown)).to.equal(refusal);
  });
});
