import { expect } from 'chai';

import { type TestApi, newTenant, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { type TestVault, startVault } from './harness/vault.ts';

const path = '/tenants/self/reports/operations';

interface Report {
  readonly start_date: string;
  readonly end_date: string;
  readonly total_operations: number;
  readonly months: readonly {
    readonly year: number;
    readonly month: number;
    readonly total_operations: number;
    readonly operations: readonly object[];
  }[];
}

describe('the report of operations, with a real vault', () => {
  let vault: TestVault;
  let api: TestApi;

  before(async () => {
    const config = await newInstallation();
    vault = await startVault(config);
    const logRetention = { days: 0, intervalMs: 50 };
    api = await startTestApi({}, { ...config, vaultAddress: vault.address, logRetention });
  });

  after(async () => {
    await api[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
  });

  const report = async (key: string): Promise<Report> => {
    const answer = await api.send(`GET ${path}/`, { key });
    expect(answer.status, answer.text).to.equal(200);
    return answer.body as unknown as Report;
  };
  const sql = (text: string) => inDatabase<{ yes: boolean }>(api.config.databaseUrl.reveal(), text);
  const monthsAgo = (count: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1, 12));
  };

  it('counts what was changed in the tenant, at once, and nothing of another', async () => {
    const { managementKey: key } = await newTenant(api.config);
    const made = [
      { entity_type: 'application', operation: 'create', count: 3 },
      { entity_type: 'tenant', operation: 'create', count: 1 },
    ];
    const first = await report(key);
    expect(first.total_operations).to.equal(4);
    expect(first.months.map(({ operations }) => operations)).to.deep.equal([made]);
    const body = { name: 'p', destination_url: 'https://example.com' };
    const application = { name: 'a', type: 'private', permissions: ['token:read'] };
    for (const sent of [application, application]) await api.send('POST /applications', { key, body: sent });
    const { body: own } = await api.send('POST /applications', { key, body: application });
    await api.send(`DELETE /applications/${own.id}`, { key });
    await api.send('POST /proxies', { body });
    const now = new Date();
    const second = await report(key);
    expect(second.months).to.deep.equal([
      {
        year: now.getUTCFullYear(),
        month: now.getUTCMonth() + 1,
        total_operations: 8,
        operations: [
          { entity_type: 'application', operation: 'create', count: 6 },
          { entity_type: 'application', operation: 'delete', count: 1 },
          { entity_type: 'tenant', operation: 'create', count: 1 },
        ],
      },
    ]);
    expect(Date.parse(second.end_date)).to.be.within(Date.now() - 10_000, Date.now());
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1));
    expect(second.start_date).to.equal(start.toISOString());
  });

  it('keeps its counts of a year, the latest month first, when the log is no longer kept', async () => {
    const { id, managementKey: key } = await newTenant(api.config);
    const [last, old, tooOld] = [monthsAgo(1), monthsAgo(11), monthsAgo(12)];
    for (const at of [last, last, old, tooOld]) {
      await sql(
        `INSERT INTO logs (at, tenant_id, operation, entity_type, entity_id)
         VALUES ('${at.toISOString()}', '${id}', 'update', 'proxy', 'p')`,
      );
    }
    await sql(`UPDATE operation_count_progress SET gathered_until = '${tooOld.toISOString()}'`);
    await until(20_000, async () => {
      const since = `gathered_until > '${last.toISOString()}'`;
      expect(await sql(`SELECT ${since} AS yes FROM operation_count_progress`)).to.deep.equal([
        { yes: true },
      ]);
    });
    await sql(
      `DELETE FROM logs WHERE tenant_id = '${id}' AND at < '${monthsAgo(0).toISOString().slice(0, 7)}-01'`,
    );
    const { months } = await report(key);
    const past = months.slice(1).map(({ year, month, operations }) => [year, month, operations]);
    const of = (date: Date, count: number) => [
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      [{ entity_type: 'proxy', operation: 'update', count }],
    ];
    expect(past).to.deep.equal([of(last, 2), of(old, 1)]);
  });

  it('401 without a key, 403 without the permission', async () => {
    expectProblem(await api.send(`GET ${path}`, { key: null }), 401);
    for (const key of [api.tenant.privateKey, api.tenant.publicKey]) {
      const answer = await api.send(`GET ${path}`, { key });
      expectProblem(answer, 403);
      expect(answer.body.detail).to.include('The permission report:read is required. Only a management');
    }
  });

  it('is a 503 while the vault is away, not half of a report', async () => {
    await vault.kill();
    expectProblem(await api.send(`GET ${path}`), 503);
  });
});
