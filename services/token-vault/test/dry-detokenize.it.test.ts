import { type DryDetokenized, UsePurpose } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { purposeId } from './harness/exchange-client.ts';
import { codeOf } from './harness/failure.ts';
import { Fixture, ownerRule } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

const card = { number: '4242424242424242', expiration_month: 4, expiration_year: 2028, cvc: '123' };
const purpose = UsePurpose.USE_PURPOSE_PROXY;

/** contract/dry-runs.md#stand-ins */
describe('a dry run of detokenization', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const dry = async (by: TestApplication, expressions: readonly string[]): Promise<DryDetokenized> => {
    const reach = { destination: 'api.example.org:443', code: [], anywhere: false };
    const use = { expressions: [...expressions], purpose, purposeId, proxy: undefined, reach };
    const outcome = await fixture.gateway.call(
      { apiKey: by.key },
      { $case: 'dryDetokenize', value: { use } },
    );
    if (outcome?.$case !== 'dryDetokenized') throw new Error(`the outcome is ${outcome?.$case}`);
    return outcome.value;
  };

  it('gives stand-ins, the same for every expression over a token, and records no use', async () => {
    const caller = await fixture.application(['token:use']);
    const id = await fixture.token(card, { type: 'card' });
    const { expressions, refusal } = await dry(caller, [
      id,
      `${id} | json: '$.number'`,
      `${id} | json: '$.number' | last4`,
    ]);
    expect(refusal).to.equal(undefined);
    const [whole, number, last] = expressions.map(({ standIn }) => JSON.parse(standIn ?? 'null'));
    expect(Object.keys(whole)).to.deep.equal(Object.keys(card));
    expect(whole.number)
      .to.match(/^\d{16}$/)
      .and.not.equal(card.number);
    expect([number, last]).to.deep.equal([whole.number, whole.number.slice(-4)]);
    for (const one of expressions) {
      expect(one).to.deep.include({ tokenId: id, allowed: true, reason: '', container: '/pci/high/' });
    }
    expect(await fixture.audit(caller)).to.deep.equal([]);
  });

  it('decides as a use would, token by token, and gives a token that is denied none', async () => {
    const rule = { ...ownerRule, priority: 7, container: '/pci/', permissions: ['token:use'] };
    const caller = await fixture.publisher.application({ tenantId: fixture.tenantId, rules: [rule] });
    const open = await fixture.token(card, { type: 'card' });
    const closed = await fixture.token('closed');
    const { expressions, refusal } = await dry(caller, [closed, open, `${closed} | last4`]);
    expect(refusal).to.include({ code: 'permission_denied' });
    expect(expressions.map(({ allowed, reason, rule: by }) => [allowed, reason, by])).to.deep.equal([
      [false, 'outside_scope', undefined],
      [true, '', 7],
      [false, 'outside_scope', undefined],
    ]);
    expect(expressions.map(({ standIn }) => standIn !== undefined)).to.deep.equal([false, true, false]);
    expect(expressions[0]?.container).to.equal('/general/high/');
    const unknown = await dry(caller, ['00000000-0000-4000-8000-000000000000']);
    expect(unknown.refusal).to.include({ code: 'invalid_argument' });
    expect(unknown.expressions[0]).to.include({ allowed: false, reason: 'unknown_token', container: '' });
    expect(await fixture.audit(caller)).to.deep.equal([]);
  });

  it('knows nothing of another tenant’s tokens', async () => {
    const id = await fixture.token(card, { type: 'card' });
    const { expressions } = await dry(await fixture.foreigner(), [id]);
    expect(expressions[0]).to.include({ allowed: false, container: '' });
    expect(expressions[0]?.standIn).to.equal(undefined);
  });

  it('counts nothing towards a limit on uses', async () => {
    const limits = { usesPerHour: 1, distinctTokensPerHour: 0 };
    const caller = await fixture.publisher.application({
      tenantId: fixture.tenantId,
      rules: [ownerRule],
      limits,
    });
    const id = await fixture.token('x');
    for (let times = 0; times < 3; times += 1) expect((await dry(caller, [id])).refusal).to.equal(undefined);
    expect(await codeOf(fixture.gateway.use(caller, [id]))).to.equal('ok');
    expect(await codeOf(fixture.gateway.use(caller, [id]))).to.equal('use_limit');
  });

  it('hides what says something of the data, or is stored beside it', async () => {
    const caller = await fixture.application(['token:use']);
    const metadata = { order: 'A-4711' };
    const id = await fixture.token(card, { type: 'card', metadata });
    const paths = ['$.metadata.order', '$.fingerprint', '$.card.last4'];
    const texts = paths.map((path) => `token: ${id} | json: '${path}'`);
    const { expressions, refusal } = await dry(caller, texts);
    expect(refusal).to.equal(undefined);
    const [order, fingerprint, last4] = expressions.map(
      ({ standIn }) => JSON.parse(standIn ?? '""') as string,
    );
    expect(order)
      .to.match(/^[A-Z]-\d{4}$/)
      .and.not.equal(metadata.order);
    const values = await fixture.gateway.use(await fixture.application(['token:use']), texts);
    expect(fingerprint).to.have.length(String(values[1]).length).and.not.equal(values[1]);
    expect(last4).to.not.equal('4242');
  });

  it('says what an expression would have failed with', async () => {
    const id = await fixture.token(card, { type: 'card' });
    const caller = await fixture.application(['token:use']);
    const { expressions, refusal } = await dry(caller, [`${id} | last4`]);
    expect(refusal).to.include({ code: 'invalid_argument' });
    expect(expressions[0]).to.include({ allowed: true, standIn: undefined });
  });
});
