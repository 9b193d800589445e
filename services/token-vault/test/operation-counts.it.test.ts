import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, ownerRule } from './harness/fixture.ts';

const options = () => ({ deadline: Date.now() + 5000, safe: true, correlationId: 'operations' });

describe('the report of operations', () => {
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
  const report = async (
    tenantId: string,
    peer: 'control-api' | 'stranger' | 'proxy-gateway' = 'control-api',
  ) =>
    (await fixture.vault.as(peer).unary(VaultServiceService.reportOperations, { tenantId }, options()))
      .operations;
  const counted = async (tenantId: string) =>
    (await report(tenantId)).map(
      ({ year, month, entityType, operation, purpose, count }) =>
        `${year}-${month} ${entityType} ${operation} ${purpose}: ${count}`,
    );
  const sql = (text: string, values: unknown[] = []) => fixture.sql<Record<string, unknown>>(text, values);
  const did = (tenantId: string, at: Date, more: Record<string, unknown> = {}) => {
    const row = {
      operation: 'read',
      token_id: 'a',
      outcome: 'allowed',
      purpose: null,
      purpose_id: null,
      ...more,
    };
    return sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, purpose, purpose_id, at)
       VALUES ($1, $1, $2, $3, $4, $5, $6, $7)`,
      [tenantId, row.operation, row.token_id, row.outcome, row.purpose, row.purpose_id, at],
    );
  };
  const monthsAgo = (count: number, day: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, day, 12));
  };
  const named = (date: Date) => `${date.getUTCFullYear()}-${date.getUTCMonth() + 1}`;

  it('counts at once what the log shows as done, and no refusals', async () => {
    const { tenantId, owner } = await newTenant();
    const { gateway } = fixture;
    expect(await counted(tenantId)).to.deep.equal([]);
    const { id } = await gateway.create(owner, { type: 'token', data: 'x' });
    await gateway.create(owner, { type: 'token', data: 'y' });
    await gateway.get(owner, String(id));
    await gateway.use(owner, [String(id)]);
    await gateway.delete(owner, String(id));
    const stranger = await fixture.publisher.application({ tenantId, permissions: ['token:create'] });
    await failureOf(gateway.get(stranger, String(id)));
    const leak = { operation: 'leak_proxy', token_id: null, purpose: 'leak', purpose_id: '-' };
    await did(tenantId, new Date(), leak);
    const now = named(new Date());
    expect(await counted(tenantId)).to.deep.equal([
      `${now} token create : 2`,
      `${now} token delete : 1`,
      `${now} token read : 1`,
      `${now} token use proxy: 1`,
    ]);
  });

  it('says the same before and after it was gathered, across months, the latest first', async () => {
    const { tenantId } = await newTenant();
    const [last, old, tooOld] = [monthsAgo(1, 15), monthsAgo(11, 1), monthsAgo(12, 28)];
    for (const moment of [last, last, old, tooOld]) await did(tenantId, moment);
    await did(tenantId, last, {
      operation: 'create_session',
      token_id: null,
      purpose: 'session',
      purpose_id: 's',
    });
    await did(tenantId, last, { operation: 'read_key', token_id: null, purpose: 'key', purpose_id: 'k' });
    await did(tenantId, last, { operation: 'use', purpose: 'reactor', purpose_id: 'r' });
    await did(tenantId, last, { outcome: 'denied' });
    await did(tenantId, last, { token_id: null });
    await sql('UPDATE operation_count_progress SET gathered_until = $1', [tooOld]);
    const expected = [
      `${named(last)} key read : 1`,
      `${named(last)} session create : 1`,
      `${named(last)} token read : 2`,
      `${named(last)} token use reactor: 1`,
      `${named(old)} token read : 1`,
    ];
    const gathered = async () =>
      (await sql('SELECT gathered_until > $1 AS yes FROM operation_count_progress', [last]))[0]?.['yes'];
    while ((await gathered()) !== true) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await counted(tenantId)).to.deep.equal(expected);
    await did(tenantId, new Date());
    expect(await counted(tenantId)).to.deep.equal([`${named(new Date())} token read : 1`, ...expected]);
  });

  it('is for control-api alone, and for tenants, of which none learns another’s', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    await fixture.gateway.create(other.owner, { type: 'token', data: 'x' });
    expect(await report(one.tenantId)).to.deep.equal([]);
    for (const peer of ['stranger', 'proxy-gateway'] as const) {
      expect(String((await failureOf(report(one.tenantId, peer))).cause)).to.contain('PERMISSION_DENIED');
    }
    for (const wrong of ['', 'x', `${one.tenantId}'`]) {
      expect(await failureOf(report(wrong))).to.include({ code: 'invalid_argument' });
    }
  });
});
