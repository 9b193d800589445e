import { UsePurpose } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

describe('detokenizing for the caller himself', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const read = async (caller: TestApplication, ...expressions: string[]): Promise<unknown[]> => {
    const purpose = UsePurpose.USE_PURPOSE_DETOKENIZE;
    const value = { expressions, purpose, purposeId: '', proxy: undefined };
    const outcome = await fixture.gateway.call(caller.key, { $case: 'detokenize', value });
    if (outcome?.$case !== 'detokenized') throw new Error(`unexpected ${outcome?.$case}`);
    return outcome.value.values.map((text) => JSON.parse(text));
  };
  const reader = (transform: string, container = '/') =>
    fixture.application([], [{ container, transform, permissions: ['token:read'] }]);

  it('gives values under a rule that reveals', async () => {
    const id = await fixture.token();
    const caller = await reader('reveal');
    expect(
      await read(caller, id, `${id} | json: '$.number' | last4`, `token: ${id} | json: '$.type'`),
    ).to.deep.equal([card, '4242', 'card']);
    expect(await read(caller)).to.deep.equal([]);
    expect(
      (await fixture.audit(caller)).map(({ operation, purpose, view, token_id }) => [
        operation,
        purpose,
        view,
        token_id,
      ]),
    ).to.deep.equal([
      ['read', 'detokenize', 'reveal', id],
      ['read', 'detokenize', null, null],
    ]);
  });

  it('gives nothing that reading the token would not show', async () => {
    const id = await fixture.token();
    for (const caller of [
      await reader('mask'),
      await reader('redact'),
      await fixture.application(['token:read']),
    ]) {
      const { code, message } = await failureOf(read(caller, id));
      expect(code).to.equal('permission_denied');
      expect(message).to.include(`grants token:read for the token ${id} does not reveal it`);
      expect((await fixture.audit(caller))[0]).to.include({
        outcome: 'denied',
        reason: 'read_without_reveal',
        token_id: id,
      });
    }
    for (const held of ['token:use', 'token:search', 'token:create']) {
      const caller = await fixture.application([held]);
      expect((await failureOf(read(caller, id))).code).to.equal('permission_denied');
    }
    expect((await failureOf(read(await reader('reveal', '/other/'), id))).code).to.equal('permission_denied');
  });

  it('tells which tokens there are not', async () => {
    const id = await fixture.token();
    const failure = await failureOf(read(await reader('reveal'), id, 'nope', 'neither'));
    expect(failure).to.include({
      code: 'invalid_argument',
      message: 'Failed to detokenize some tokens: nope, neither',
    });
  });
});
