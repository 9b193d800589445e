import { type Postgres, type Queryable, createPostgres, sqlStateOf } from '@glovebox/platform/db/postgres';
import { expect } from 'chai';

import { findApplication, listApplications } from '../src/applications/store.ts';
import { countOperations } from '../src/audit/operation-counts.ts';
import { countEntries, selectEntries } from '../src/audit/store.ts';
import { listFormulas } from '../src/formulas/store.ts';
import { findProxy } from '../src/proxies/store.ts';
import { listReactors } from '../src/reactors/store.ts';
import { findTenant } from '../src/tenants/store.ts';
import { type TestApi, type TestTenant, startTestApi } from './harness/api.ts';
import { inDatabase } from './harness/stores.ts';

/** Why a table has no column `tenant_id` by which it is restricted. */
const ofNoTenant: Readonly<Record<string, string>> = {
  event_outbox: 'events of all tenants wait in one order',
  installation: 'one row: which database this is, and how much of it is published',
  operation_count_progress: 'one row: until when the log is counted',
  outbox: 'changes of all tenants are published in one order',
  schema_migrations: 'the migrations that have run',
};
/** Restricted by another column. */
const byAnotherColumn: Readonly<Record<string, string>> = {
  tenants: 'id',
};

const refusedByPolicy = '42501';

/** Sends statements without their condition on the tenant, as if somebody had forgotten it. */
const unfiltered = (db: Queryable): Queryable => {
  const without = (text: string) =>
    text.replaceAll(/\b(?:\w+\.)?tenant_id = (\$\d+)/g, '$1::uuid IS NOT NULL');
  return {
    query: (name, text, values) => db.query(`unfiltered-${name}`, without(text), values),
    queryOnce: (name, text, values) => db.queryOnce(name, without(text), values),
  };
};

describe('row-level security of control-api', () => {
  let api: TestApi;
  let other: TestTenant;
  let service: Postgres;
  let url: string;
  const theirs = { application: '', proxy: '' };
  before(async () => {
    api = await startTestApi();
    other = await api.newTenant();
    const key = other.managementKey;
    const application = { name: 'a', type: 'private', permissions: ['token:use'] };
    const made = await api.send('POST /applications', { key, body: application });
    const proxy = { name: 'p', destination_url: 'https://example.com/' };
    const proxied = await api.send('POST /proxies', { key, body: proxy });
    Object.assign(theirs, { application: made.body.id, proxy: proxied.body.id });
    url = api.config.databaseUrl.reveal();
    service = createPostgres({
      url: api.config.databaseUrl,
      maxConnections: 1,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  const refusal = async (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => sqlStateOf(error),
    );

  it('covers every table with a tenant, and each table without one has a reason', async () => {
    const tables = await inDatabase<{ name: string; tenant: boolean; covered: boolean }>(
      url,
      `SELECT relname AS name, relrowsecurity AND EXISTS (
                SELECT 1 FROM pg_policy WHERE polrelid = c.oid AND polname = 'in_scope' AND polcmd = '*') AS covered,
              EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id') AS tenant
         FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
    );
    const names = (some: typeof tables) => some.map(({ name }) => name);
    expect(names(tables.filter(({ tenant, covered }) => tenant && !covered))).to.deep.equal([]);
    const others = tables.filter(({ tenant }) => !tenant);
    expect(names(others.filter(({ covered }) => covered))).to.deep.equal(Object.keys(byAnotherColumn));
    expect(names(others.filter(({ covered }) => !covered))).to.deep.equal(Object.keys(ofNoTenant));
    const further = await inDatabase(url, `SELECT 1 FROM pg_policy WHERE polname <> 'in_scope'`);
    expect(further, 'a further policy would show more rows').to.deep.equal([]);
  });

  it('shows the rows of the tenant in the scope of a statement, and none without a scope', async () => {
    const tenants = async (db: Queryable, table: string, column: string) => {
      const rows = await db.queryOnce<{ id: string }>('ids', `SELECT DISTINCT ${column} AS id FROM ${table}`);
      return rows.map(({ id }) => id);
    };
    const tables = [
      ['tenants', 'id'],
      ['applications', 'tenant_id'],
      ['proxies', 'tenant_id'],
      ['logs', 'tenant_id'],
      ['application_keys', 'tenant_id'],
    ] as const;
    for (const [table, column] of tables) {
      expect(await tenants(service.forTenant(other.id), table, column), table).to.deep.equal([other.id]);
      expect(await tenants(service, table, column), table).to.deep.equal([]);
      const all = await tenants(service.acrossTenants('test'), table, column);
      expect(all, table).to.include(other.id);
    }
    const count = async (db: Queryable, table: string) =>
      (await db.queryOnce<{ n: number }>('count', `SELECT count(*)::integer AS n FROM ${table}`))[0]?.n;
    for (const [table, own] of [
      ['application_keys', 4],
      ['proxy_versions', 1],
    ] as const) {
      const scopes = [service, service.forTenant(api.tenant.id), service.forTenant(other.id)];
      const counts = await Promise.all(scopes.map((db) => count(db, table)));
      expect(counts, table).to.deep.equal([0, table === 'application_keys' ? 3 : 0, own]);
    }
  });

  it('answers nothing of other tenants to queries without their filter, and nothing at all without a scope', async () => {
    const page = { number: 1, size: 10, offset: 0 } as never;
    const empty = { total: 0, rows: [] };
    const span = { from: 0, to: 9e15 };
    const reads: Readonly<Record<string, [(db: Queryable, tenantId: string) => Promise<unknown>, unknown]>> =
      {
        application: [(db, tenantId) => findApplication(db, tenantId, theirs.application), 'not_found'],
        proxy: [(db, tenantId) => findProxy(db, tenantId, theirs.proxy), 'not_found'],
        tenant: [(db) => findTenant(db, other.id), 'not_found'],
        applications: [(db, tenantId) => listApplications(db, tenantId, { ids: [], types: [] }, page), empty],
        formulas: [(db, tenantId) => listFormulas(db, tenantId, undefined, page), empty],
        reactors: [
          (db, tenantId) => listReactors(db, tenantId, { ids: [], name: undefined } as never, page),
          empty,
        ],
        entries: [
          (db, tenantId) => selectEntries(db, { tenantId, ...span } as never, { at: 9e15, id: 0 }, 5),
          [],
        ],
        'number of entries': [(db, tenantId) => countEntries(db, { tenantId, ...span } as never), 0],
        operations: [(db, tenantId) => countOperations(db, tenantId), []],
      };
    const outcome = (read: Promise<unknown>) =>
      read.catch((error: unknown) => (error as { code?: string }).code ?? error);
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const [what, [read, nothing]] of Object.entries(reads)) {
      for (const db of [service.forTenant(nobody), service, service.withoutTenant]) {
        expect(await outcome(read(unfiltered(db), other.id)), what).to.deep.equal(nothing);
      }
      if (['formulas', 'reactors', 'operations'].includes(what)) continue;
      const found = await outcome(read(unfiltered(service.forTenant(other.id)), other.id));
      expect(found, what).not.to.deep.equal(nothing);
    }
  });

  it('prevents writing, changing and deleting rows of a tenant outside of the scope', async () => {
    const mine = service.forTenant(api.tenant.id);
    for (const db of [mine, service]) {
      const entry = db.queryOnce(
        'log',
        `INSERT INTO logs (tenant_id, operation, entity_type, entity_id) VALUES ($1, 'x', 'x', 'x')`,
        [other.id],
      );
      expect(await refusal(entry)).to.equal(refusedByPolicy);
      const key = db.queryOnce(
        'key',
        `INSERT INTO application_keys (key_hash, application_id, created_at) VALUES ('x', $1, now())`,
        [theirs.application],
      );
      expect(await refusal(key)).to.equal(refusedByPolicy);
      for (const table of ['tenants', 'applications', 'proxies']) {
        const id = table === 'tenants' ? other.id : table === 'proxies' ? theirs.proxy : theirs.application;
        const changed = await db.queryOnce(
          'change',
          `UPDATE ${table} SET name = 'x' WHERE id = $1 RETURNING 1`,
          [id],
        );
        const gone = await db.queryOnce('delete', `DELETE FROM ${table} WHERE id = $1 RETURNING 1`, [id]);
        expect([...changed, ...gone], table).to.deep.equal([]);
      }
    }
    const moved = mine.queryOnce('move', 'UPDATE applications SET tenant_id = $1', [other.id]);
    expect(await refusal(moved)).to.equal(refusedByPolicy);
  });

  it('cannot be turned off by the role of control-api, which owns nothing', async () => {
    const [role] = await service.query<Record<string, boolean>>(
      'role',
      `SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS mighty,
              EXISTS (SELECT 1 FROM pg_class WHERE pg_has_role(relowner, 'MEMBER')) AS owner
         FROM pg_roles WHERE rolname = current_user`,
    );
    expect(role).to.deep.equal({ mighty: false, owner: false });
    for (const statement of [
      'ALTER TABLE applications DISABLE ROW LEVEL SECURITY',
      'DROP POLICY in_scope ON tenants',
      'CREATE POLICY all_rows ON tenants USING (true)',
      'CREATE TABLE mine (id integer)',
      'TRUNCATE logs',
      'DELETE FROM schema_migrations',
    ]) {
      expect(await refusal(service.queryOnce('attempt', statement)), statement).to.equal(refusedByPolicy);
    }
    const ready = await fetch(`http://127.0.0.1:${api.service.metricsPort}/readyz`);
    expect(((await ready.json()) as { notes?: object }).notes ?? {}).not.to.have.property('row_security');
    const metrics = await fetch(`http://127.0.0.1:${api.service.metricsPort}/metrics`);
    expect(await metrics.text()).to.match(/^glovebox_row_security\S* 1$/m);
  });
});
