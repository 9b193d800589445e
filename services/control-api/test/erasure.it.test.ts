import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import type { TenantEraser } from '../src/tenants/eraser.ts';
import type { Erasure } from '../src/tenants/erasures.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';

/** Stands for the vault: certifies when this service has ended. */
class Vault implements TenantEraser {
  away = false;
  readonly asked: Erasure[] = [];

  erase(erasure: Erasure) {
    if (this.away) return Promise.reject(new AppError('unavailable', 'away'));
    this.asked.push(erasure);
    const certificate = erasure.endedAt === null ? undefined : { of: erasure.tenantId };
    return Promise.resolve({ keysDestroyedAt: new Date(), certificate });
  }
}

describe('the deletion of a tenant', () => {
  let vault: Vault;
  let api: TestApi;
  const start = async (config?: TestApi['config']) => {
    const own = config ?? (await newInstallation());
    return startTestApi(
      { sealer: reversingSealer, eraser: vault },
      { ...own, erasure: { intervalMs: 50, settleMs: 100 } },
    );
  };
  before(async () => {
    vault = new Vault();
    api = await start();
  });
  after(() => api[Symbol.asyncDispose]());

  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    inDatabase<Row>(api.config.databaseUrl.reveal(), text, values);
  const certificateOf = (tenantId: string) =>
    until(20_000, async () => {
      const [row] = await sql<{ certificate: object | null; erased: Record<string, number> }>(
        'SELECT certificate, erased FROM tenant_erasure WHERE tenant_id = $1',
        [tenantId],
      );
      expect(row?.certificate).not.to.equal(null);
      return row;
    });

  it('has the vault destroy the keys before it is answered, and leaves no row but the log and the certificate', async () => {
    const { id, managementKey: key } = await api.newTenant();
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'kept' };
    const body = { name: 'p', destination_url: 'https://example.com' };
    const proxy = await api.send('POST /proxies', { key, body, headers });
    await sql(
      `WITH c AS (INSERT INTO operation_count VALUES ($1, '2026-01-01', 'proxy', 'create', 1))
       INSERT INTO event_outbox (event) VALUES (json_build_object('tenant_id', $1::text, 'type', 'none', 'data', '{}')::text)`,
      [id],
    );
    expect((await api.send('DELETE /tenants/self', { key })).status).to.equal(204);
    const first = vault.asked.find(({ tenantId }) => tenantId === id);
    expect(first?.applicationIds).to.have.length(3);
    expect(first?.ownerIds).to.deep.equal([proxy.body.id]);

    const row = await certificateOf(id);
    expect(row?.certificate).to.deep.equal({ of: id });
    expect(row?.erased).to.include({ tenants: 1, applications: 3, proxies: 1, idempotency_records: 1 });
    const columns = await sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'tenant_id'
          AND NOT (SELECT relispartition FROM pg_class WHERE oid = table_name::regclass)`,
    );
    for (const { name } of columns) {
      if (name === 'logs' || name === 'tenant_erasure') continue;
      expect(await sql(`SELECT 1 FROM ${name} WHERE tenant_id = $1`, [id]), name).to.deep.equal([]);
    }
    expect(await sql('SELECT 1 FROM logs WHERE tenant_id = $1', [id])).not.to.deep.equal([]);
    expect(await sql('SELECT 1 FROM event_outbox WHERE event LIKE $1', [`%${id}%`])).to.deep.equal([]);
  });

  it('is carried to its end by another process when the vault was away and this one has died', async () => {
    const { id, managementKey: key } = await api.newTenant();
    vault.away = true;
    const answer = await api.send('DELETE /tenants/self', { key });
    expect(answer.status).to.equal(503);
    expect((await api.send('GET /tenants/self', { key })).status).to.equal(401);
    await api[Symbol.asyncDispose]();
    vault.away = false;
    api = await start(api.config);
    expect((await certificateOf(id))?.certificate).to.deep.equal({ of: id });
  });
});
