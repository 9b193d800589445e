import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card, ownerRule } from './harness/fixture.ts';

const options = () => ({ deadline: Date.now() + 5000, safe: true, correlationId: 'usage' });
const month = (date: Date) => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 });

describe('the report of a tenant’s usage', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start({ PURGE_INTERVAL_MS: '50' });
  });
  after(() => fixture[Symbol.asyncDispose]());

  const newTenant = async () => {
    const tenantId = await fixture.publisher.tenant();
    const owner = await fixture.publisher.application({ tenantId, rules: [ownerRule] });
    return { tenantId, owner };
  };
  const report = (tenantId: string, peer: 'control-api' | 'stranger' | 'proxy-gateway' = 'control-api') =>
    fixture.vault.as(peer).unary(VaultServiceService.reportUsage, { tenantId }, options());
  const sql = (text: string, values: unknown[] = []) => fixture.sql<Record<string, unknown>>(text, values);
  const did = (tenantId: string, tokenId: string, at: Date, more: Record<string, unknown> = {}) => {
    const row = { outcome: 'allowed', application_id: tenantId, ...more };
    return sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, at)
       VALUES ($1, $2, 'read', $3, $4, $5)`,
      [tenantId, row.application_id, tokenId, row.outcome, at],
    );
  };

  it('is empty for a tenant without tokens', async () => {
    const { tenantId } = await newTenant();
    expect(await report(tenantId)).to.deep.equal({ types: [], months: [] });
  });

  it('counts the tokens of each type, with the time of the newest; what has expired is none', async () => {
    const { tenantId, owner } = await newTenant();
    const { gateway } = fixture;
    const began = Date.now() * 1000;
    for (const data of [card, card]) await gateway.create(owner, { type: 'card', data });
    const { id } = await gateway.create(owner, { type: 'token', data: 'x' });
    await gateway.create(owner, { type: 'token', data: 'y' });
    await sql('UPDATE token SET expires_at = now(), expires_at_text = $2 WHERE id = $1', [id, 'now']);
    const { types } = await report(tenantId);
    expect(types.map(({ type, count }) => [type, count])).to.deep.equal([
      ['card', 2],
      ['token', 1],
    ]);
    for (const { lastCreatedMicros } of types)
      expect(lastCreatedMicros).to.be.within(began, Date.now() * 1000);
  });

  it('counts a token once in each month in which something was done with it, at once', async () => {
    const { tenantId, owner } = await newTenant();
    const { gateway } = fixture;
    const { id } = await gateway.create(owner, { type: 'token', data: 'x' });
    await gateway.get(owner, String(id));
    await gateway.get(owner, String(id));
    await gateway.create(owner, { type: 'token', data: 'y' });
    const now = new Date();
    expect((await report(tenantId)).months).to.deep.equal([{ ...month(now), activeTokens: 2 }]);
    await gateway.delete(owner, String(id));
    expect((await report(tenantId)).months[0]?.activeTokens).to.equal(2);
  });

  it('does not count refusals, nor what the vault does by itself', async () => {
    const { tenantId } = await newTenant();
    await did(tenantId, 'a', new Date(), { outcome: 'denied' });
    await did(tenantId, 'b', new Date(), { application_id: null });
    expect((await report(tenantId)).months).to.deep.equal([]);
  });

  it('says the same before and after it was gathered, across months, the latest first', async () => {
    const { tenantId } = await newTenant();
    const now = new Date();
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12));
    const old = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1));
    const tooOld = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 12, 28));
    for (const id of ['a', 'a', 'b']) await did(tenantId, id, last);
    for (const moment of [old, tooOld, now]) await did(tenantId, 'a', moment);
    const expected = [
      { ...month(now), activeTokens: 1 },
      { ...month(last), activeTokens: 2 },
      { ...month(old), activeTokens: 1 },
    ];
    await sql('UPDATE token_activity_progress SET gathered_until = $1', [tooOld]);
    expect((await report(tenantId)).months).to.deep.equal(expected);
    const gathered = async () =>
      (await sql('SELECT gathered_until > $1 AS yes FROM token_activity_progress', [last]))[0]?.['yes'];
    while ((await gathered()) !== true) await new Promise((resolve) => setTimeout(resolve, 50));
    const rows = await sql('SELECT 1 FROM token_activity WHERE tenant_id = $1 AND month < $2', [
      tenantId,
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
    ]);
    expect(rows).to.have.length(4);
    expect((await report(tenantId)).months).to.deep.equal(expected);
  });

  it('keeps thirteen months: older ones are dropped with their partition, or deleted from the first one', async () => {
    const { tenantId } = await newTenant();
    const add = (months: number) =>
      sql(
        `INSERT INTO token_activity (tenant_id, month, token_id)
         SELECT $1, (date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => $2))::date, 'old'`,
        [tenantId, months],
      );
    const left = async () => (await sql('SELECT 1 FROM token_activity WHERE token_id = $1', ['old'])).length;
    for (const months of [13, 14, 30]) await add(months);
    while ((await left()) !== 1) await new Promise((resolve) => setTimeout(resolve, 50));
    // As if the installation had begun two years ago.
    await sql(`
      DO $$
      DECLARE ends date := (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '2 years')::date;
      BEGIN
        LOCK TABLE token_activity IN ACCESS EXCLUSIVE MODE;
        DROP TABLE IF EXISTS token_activity_first CASCADE;
        CREATE TABLE token_activity_long (LIKE token_activity);
        EXECUTE format('ALTER TABLE token_activity ATTACH PARTITION token_activity_long FOR VALUES FROM (%L) TO (%L)',
                       ends - 31, ends);
      END $$`);
    const names = async () => (await sql('SELECT name FROM activity_partitions()')).map(({ name }) => name);
    while ((await names()).includes('token_activity_long'))
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await names()).to.have.length.above(0);
  });

  it('knows other tenants’ tokens for none of this one’s', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    await fixture.gateway.create(other.owner, { type: 'token', data: 'x' });
    expect(await report(one.tenantId)).to.deep.equal({ types: [], months: [] });
  });

  it('is for control-api alone, and for tenants', async () => {
    const { tenantId } = await newTenant();
    for (const peer of ['stranger', 'proxy-gateway'] as const) {
      expect(String((await failureOf(report(tenantId, peer))).cause)).to.contain('PERMISSION_DENIED');
    }
    for (const wrong of ['', 'x', `${tenantId}'`]) {
      expect(await failureOf(report(wrong))).to.include({ code: 'invalid_argument' });
    }
  });
});
