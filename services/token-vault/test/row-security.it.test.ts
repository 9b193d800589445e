import { randomUUID } from 'node:crypto';

import { type Postgres, type Queryable, createPostgres, sqlStateOf } from '@glovebox/platform/db/postgres';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { insertEgress } from '../src/store/audit-egress.ts';
import { countEvents, selectEvents } from '../src/store/audit-events.ts';
import { countClientKeys, selectClientKeyPage } from '../src/store/client-keys.ts';
import { countUpTo, selectPage } from '../src/store/list-tokens.ts';
import { readOperations } from '../src/store/operation-counts.ts';
import { createDekStore } from '../src/store/tenant-keys.ts';
import { everyToken } from '../src/store/token-filter.ts';
import { selectHeads, selectRows } from '../src/store/token-rows.ts';
import { countTypes } from '../src/store/token-types.ts';
import { Fixture } from './harness/fixture.ts';

/** Why a table has no column `tenant_id`. */
const ofNoTenant: Readonly<Record<string, string>> = {
  audit_key: 'one key seals the log of all tenants',
  audit_seal: 'digests over ranges of the log of all tenants',
  audit_signing_key: 'the installation signs exports, not a tenant',
  event_outbox: 'events of all tenants wait in one order; they hold no data of tokens',
  operation_count_progress: 'one row: until when the log is counted',
  schema_migrations: 'the migrations that have run',
  token_activity_progress: 'one row: until when the log is gathered',
  vault_key_drop: 'which vaults have dropped the keys of all tenants',
  vault_seal: 'the operator seals the vaults, for all tenants',
};

const refusedByPolicy = '42501';
const connect = (url: string | undefined): Postgres =>
  createPostgres({
    url: new Secret(url ?? ''),
    // What one statement leaves behind on the connection, the next one would find.
    maxConnections: 1,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    applicationName: 'test',
    onError: () => undefined,
  });

/** Sends statements without their condition on the tenant, as if somebody had forgotten it. */
const unfiltered = (db: Queryable): Queryable => {
  const without = (text: string) => {
    const changed = text
      .replaceAll(/(?<!ON )\btenant_id = (\$\d+)(?:::uuid)?/g, '$1::uuid IS NOT NULL')
      .replaceAll('AS wanted (tenant_id, id) USING (tenant_id, id)', 'AS wanted (tenant, wanted_id) ON true')
      .replaceAll('AS page JOIN token USING (tenant_id, id)', 'AS page JOIN token USING (id)')
      .replaceAll(
        /(?<=SELECT )\s*tenant_id AS "tenantId", id(?=, revision[^]*USING \(id\))/g,
        'token.tenant_id AS "tenantId", id',
      );
    expect(changed, 'the statement has a condition on the tenant').not.to.equal(text);
    return changed;
  };
  return {
    query: (name, text, values) => db.query(`unfiltered-${name}`, without(text), values),
    queryOnce: (name, text, values) => db.queryOnce(name, without(text), values),
  };
};

describe('row-level security of the vault', () => {
  let fixture: Fixture;
  let service: Postgres;
  let own: string;
  let other: string;
  let ownId: string;
  let otherId: string;
  before(async () => {
    fixture = await Fixture.start();
    own = fixture.tenantId;
    ownId = await fixture.token();
    const foreigner = await fixture.foreigner();
    other = foreigner.tenantId;
    otherId = String((await fixture.gateway.create(foreigner, { type: 'token', data: 'theirs' }))['id']);
    service = connect(fixture.ground.env['DATABASE_URL']);
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  const refusal = async (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => sqlStateOf(error),
    );
  const span = {
    ...{ entityType: undefined, entityId: undefined, outcome: undefined },
    ...{ from: 0, to: 9e15 },
  };

  it('covers every table with a tenant, and each table without one has a reason', async () => {
    const tables = await fixture.sql<{ name: string; tenant: boolean; covered: boolean }>(
      `SELECT relname AS name, relrowsecurity AND EXISTS (
                SELECT 1 FROM pg_policy WHERE polrelid = c.oid AND polname = 'in_scope' AND polcmd = '*'
                   AND pg_get_expr(polqual, polrelid) LIKE '%glovebox.tenants%') AS covered,
              EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id') AS tenant
         FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
    );
    const names = (some: typeof tables) => some.map(({ name }) => name);
    expect(names(tables.filter(({ tenant, covered }) => tenant && !covered))).to.deep.equal([]);
    expect(names(tables.filter(({ tenant }) => !tenant))).to.deep.equal(Object.keys(ofNoTenant));
    const policies = await fixture.sql(`SELECT 1 FROM pg_policy WHERE polname <> 'in_scope'`);
    expect(policies, 'a further policy would show more rows').to.deep.equal([]);
  });

  it('shows the rows of the tenants in the scope of a statement, and none without a scope', async () => {
    const tenantsIn = async (db: Queryable, table: string) =>
      (await db.queryOnce<{ id: string }>('tenants', `SELECT DISTINCT tenant_id AS id FROM ${table}`)).map(
        ({ id }) => id,
      );
    for (const table of ['token', 'tenant_key', 'audit', 'searchable_token', 'searchable_audit']) {
      expect(await tenantsIn(service.forTenant(own), table), table).to.deep.equal([own]);
      expect(await tenantsIn(service, table), table).to.deep.equal([]);
      expect(await tenantsIn(service.forTenants([]), table), table).to.deep.equal([]);
      expect(await tenantsIn(service.forTenants([own, other]), table)).to.have.members([own, other]);
      expect(await tenantsIn(service.acrossTenants('test'), table)).to.include.members([own, other]);
      expect(await tenantsIn(service.withoutTenant, table), table).to.deep.equal([]);
    }
  });

  it('answers nothing of other tenants to queries without their filter, and nothing at all without a scope', async () => {
    const now = new Date();
    const reads: Readonly<Record<string, (db: Queryable, tenantId: string) => Promise<unknown>>> = {
      rows: (db, tenantId) => selectRows(db, [{ tenantId, id: otherId }], 1_000_000),
      heads: (db, tenantId) => selectHeads(db, [{ tenantId, id: otherId }]),
      page: (db, tenantId) =>
        selectPage(db, { tenantId, filter: everyToken, now }, 'newest', { offset: 0 }, 10),
      count: (db, tenantId) => countUpTo(db, { tenantId, filter: everyToken, now }, 10),
      types: (db, tenantId) => countTypes(db, tenantId),
      entries: (db, tenantId) => selectEvents(db, { ...span, tenantId }, { at: 9e15, id: 0 }, 10),
      'number of entries': (db, tenantId) => countEvents(db, { ...span, tenantId }, 10),
      operations: async (db, tenantId) => (await readOperations(db, tenantId)).countedInPlace,
      keys: (db, tenantId) => selectClientKeyPage(db, tenantId, { offset: 0, size: 10 }),
      'number of keys': (db, tenantId) => countClientKeys(db, tenantId),
    };
    const nobody = randomUUID();
    for (const [what, read] of Object.entries(reads)) {
      const empty = await read(service.forTenant(nobody), nobody);
      expect(await read(unfiltered(service.forTenant(nobody)), other), what).to.deep.equal(empty);
      expect(await read(unfiltered(service), other), what).to.deep.equal(empty);
      if (what.includes('key')) continue;
      expect(await read(unfiltered(service.acrossTenants('test')), other), what).not.to.deep.equal(empty);
    }
    const ofOwn = (await selectPage(
      unfiltered(service.forTenant(own)),
      { tenantId: other, filter: everyToken, now },
      'newest',
      { offset: 0 },
      10,
    )) as readonly { tenantId: string; id: string }[];
    expect(ofOwn.map(({ tenantId, id }) => [tenantId, id])).to.deep.equal([[own, ownId]]);
    expect(await createDekStore({ ...service, forTenant: () => service }).current(own, 'data')).to.equal(
      undefined,
    );
  });

  it('prevents writing, changing and deleting rows of a tenant outside of the scope', async () => {
    const entry = { subjectType: 'proxy', subjectId: '', destination: 'a.example:443', reason: 'x' };
    const egress = {
      ...entry,
      tenantId: other,
      applicationId: null,
      outcome: 'denied',
      correlationId: null,
      count: 1,
    } as const;
    expect(await refusal(insertEgress(service.forTenant(own), egress))).to.equal(refusedByPolicy);
    expect(await refusal(insertEgress(service, egress))).to.equal(refusedByPolicy);
    const moved = service.forTenant(own).queryOnce('move', 'UPDATE token SET tenant_id = $1', [other]);
    expect(await refusal(moved)).to.equal(refusedByPolicy);
    const gone = await service
      .forTenant(own)
      .queryOnce('delete', 'DELETE FROM token WHERE id = $1 RETURNING 1', [otherId]);
    const changed = await service.queryOnce('change', 'UPDATE token SET type = $1 RETURNING 1', ['bank']);
    expect([...gone, ...changed]).to.deep.equal([]);
    expect((await fixture.gateway.get(fixture.owner, ownId))['type']).to.equal('card');
  });

  it('ends a scope with its transaction, whether that succeeds or fails', async () => {
    const count = async (db: Queryable) =>
      Number((await db.query<{ n: string }>('count-tokens', 'SELECT count(*) AS n FROM token'))[0]?.n);
    const mine = service.forTenant(own);
    expect([await count(mine), await count(service)]).to.deep.equal([1, 0]);
    expect(await mine.transaction(count)).to.equal(1);
    expect(await count(service)).to.equal(0);
    expect(await refusal(mine.query('wrong', 'SELECT nothing'))).to.equal('42703');
    expect(await count(service)).to.equal(0);
    expect(await refusal(mine.query('late', 'SELECT 1 / $1::integer', [0]))).to.equal('22012');
    expect([await count(mine), await count(service)]).to.deep.equal([1, 0]);
    expect(await refusal(mine.transaction((tx) => tx.query('wrong-too', 'SELECT nothing')))).to.equal(
      '42703',
    );
    expect(await count(service)).to.equal(0);
    // The same statement, once parsed in vain, once with success.
    expect(await refusal(mine.query('again', 'SELECT * FROM later'))).to.equal('42P01');
    expect(await refusal(mine.query('again', 'SELECT * FROM later'))).to.equal('42P01');
  });

  it('takes only the ids of tenants as a scope', async () => {
    for (const id of [`${own},${other}`, '', '{}', `${own}}`]) {
      const read = Promise.resolve().then(() => service.forTenant(id).query('any', 'SELECT 1 FROM token'));
      expect(await read.catch(String), id).to.include('UUID');
    }
  });

  it('cannot be turned off by the role of a vault, which owns nothing and changes no log', async () => {
    const [role] = await service.query<Record<string, boolean>>(
      'role',
      `SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS mighty,
              EXISTS (SELECT 1 FROM pg_class WHERE pg_has_role(relowner, 'MEMBER')) AS owner,
              EXISTS (SELECT 1 FROM pg_proc WHERE pg_has_role(proowner, 'MEMBER')) AS author
         FROM pg_roles WHERE rolname = current_user`,
    );
    expect(role).to.deep.equal({ mighty: false, owner: false, author: false });
    const db = service.acrossTenants('test');
    for (const statement of [
      'ALTER TABLE token DISABLE ROW LEVEL SECURITY',
      'DROP POLICY in_scope ON token',
      'CREATE POLICY all_rows ON token USING (true)',
      'CREATE TABLE mine (id integer)',
      'CREATE FUNCTION mine() RETURNS integer LANGUAGE sql RETURN 1',
      'TRUNCATE audit',
      'DELETE FROM audit',
      "UPDATE audit SET reason = 'x'",
      'INSERT INTO searchable_token (tenant_id) VALUES (gen_random_uuid())',
      'DELETE FROM searchable_token',
      'DELETE FROM schema_migrations',
    ]) {
      expect(await refusal(db.queryOnce('attempt', statement)), statement).to.equal(refusedByPolicy);
    }
    const off = service.transaction(async (tx) => {
      await tx.queryOnce('off', 'SET LOCAL row_security = off');
      return tx.queryOnce('read', 'SELECT 1 FROM token');
    });
    expect(await refusal(off)).to.equal(refusedByPolicy);
  });

  it('is missing, and a vault says so, where it connects as the owner of the tables', async () => {
    const told = async (port: number) => {
      const [ready, metrics] = await Promise.all(
        ['readyz', 'metrics'].map(async (path) => (await fetch(`http://127.0.0.1:${port}/${path}`)).text()),
      );
      return {
        note: (JSON.parse(ready ?? '') as { notes?: Record<string, string> }).notes?.['row_security'],
        metric: /^glovebox_row_security\S* (\d)$/m.exec(metrics ?? '')?.[1],
      };
    };
    expect(await told(fixture.vault.vault.metricsPort)).to.deep.equal({ note: undefined, metric: '1' });
    await using asOwner = await fixture.anotherVault({ DATABASE_URL: fixture.ground.databaseUrl });
    expect((await asOwner.gateway.get(fixture.owner, ownId))['id']).to.equal(ownId);
    const { note, metric } = await told(asOwner.vault.vault.metricsPort);
    expect([note, metric]).to.deep.equal([
      'row-level security does not apply to the role of DATABASE_URL: set MIGRATION_DATABASE_URL',
      '0',
    ]);
    expect(asOwner.vault.logged.join('')).to.include('row-level security does not apply');
  });
});
