import { randomUUID } from 'node:crypto';
import { cp, mkdtempDisposable, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makePartitions, addLogRoomGauge } from '@glovebox/platform/db/log-partitions';
import { migrate } from '@glovebox/platform/db/migrate';
import { type Postgres, createPostgres, sqlStateOf } from '@glovebox/platform/db/postgres';
import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { AuditSeals } from '../src/audit/audit-seals.ts';
import { openLocalFileKeyProvider } from '../src/crypto/local-file-key-provider.ts';
import { auditLog } from '../src/store/audit-partitions.ts';
import { migrationsFolder, schema } from '../src/store/migrations.ts';
import { runCli } from './harness/cli.ts';
import { Fixture } from './harness/fixture.ts';
import { createDatabase, createMigratedDatabase, withClient } from './harness/servers.ts';

const dayMs = 86_400_000;

describe('the partitions of the audit log', () => {
  let stack: AsyncDisposableStack;
  let fixture: Fixture;
  let postgres: Postgres;
  let seals: AuditSeals;
  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    fixture = stack.use(await Fixture.start());
    postgres = stack.use(
      createPostgres({
        url: new Secret(fixture.ground.env['DATABASE_URL'] ?? ''),
        maxConnections: 3,
        statementTimeoutMs: 10_000,
        connectTimeoutMs: 5000,
        applicationName: 'test',
        onError: () => undefined,
      }),
    );
    const provider = await openLocalFileKeyProvider(fixture.ground.env['KEY_FILE'] ?? '');
    seals = new AuditSeals(postgres.acrossTenants('test'), provider);
  });
  afterEach(() => stack.disposeAsync());

  interface Partition {
    readonly name: string;
    readonly starts: Date | null;
    readonly ends: Date;
  }
  const partitions = () => fixture.sql<Partition>('SELECT * FROM audit_partitions()');
  const add = (at: string, count = 1) =>
    fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, at)
       SELECT $1, $1, 'read', 'token', 'allowed', ${at} FROM generate_series(1, $2::integer)`,
      [fixture.tenantId, count],
    );
  const verify = async () => {
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const { stdout, stderr } = await runCli(['audit', 'verify'], { DATABASE_URL, KEY_FILE });
    expect(stdout, stderr).not.to.equal('');
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  /** A writer on a busy machine may hold the log for longer than a drop waits: the next round does it. */
  const purge = async (before: Date) => {
    await until('nobody holds the log', () =>
      seals.purge(before).then(
        () => true,
        (error: unknown) => {
          if (sqlStateOf(error) !== '55P03') throw error;
          return false;
        },
      ),
    );
  };
  /** As if the installation had begun a year ago: the first partition is over, and one for each month follows. */
  const ageLog = () =>
    fixture.sql(`
      DO $$
      DECLARE one record;
      BEGIN
        FOR one IN SELECT * FROM audit_partitions() LOOP
          EXECUTE format('ALTER TABLE audit DETACH PARTITION %I', one.name);
          IF one.starts IS NOT NULL THEN EXECUTE format('DROP TABLE %I', one.name); END IF;
        END LOOP;
        EXECUTE format('ALTER TABLE audit ATTACH PARTITION audit_first FOR VALUES FROM (MINVALUE) TO (%L)',
                       date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 year');
        PERFORM make_audit_partitions(now() + interval '2 months', 'month');
      END $$`);

  it('are made ahead by vaults, each after the one before, and by the week where a short time is kept', async () => {
    const before = await partitions();
    expect(before[0]).to.include({ name: 'audit_first', starts: null });
    const last = before.at(-1)?.ends ?? new Date(0);
    expect(last.getTime()).to.be.above(Date.now() + 59 * dayMs);
    for (const [n, { starts }] of before.entries()) {
      if (n > 0) expect(starts).to.deep.equal(before[n - 1]?.ends);
    }

    const later = new Date(last.getTime() + 40 * dayMs);
    const made = await Promise.all([1, 2, 3].map(() => makePartitions(auditLog(postgres), later, 'week')));
    const after = await partitions();
    expect(made.reduce((sum, count) => sum + count)).to.equal(after.length - before.length);
    const weeks = after.slice(before.length + 1).map(({ starts, ends }) => ends.getTime() - Number(starts));
    expect(new Set(weeks)).to.deep.equal(new Set([7 * dayMs]));
    expect(after.at(-1)?.ends.getTime()).to.be.within(later.getTime(), later.getTime() + 7 * dayMs);
  });

  it('hold entries of their time, which are found by tenant and by id, newest first', async () => {
    await ageLog();
    for (const months of [0, 3, 14]) await add(`now() - interval '${months} months'`);
    const rows = await fixture.sql(
      `SELECT tableoid::regclass::text AS name, id FROM audit WHERE tenant_id = $1 ORDER BY at DESC, id DESC`,
      [fixture.tenantId],
    );
    expect(rows.map(({ id }) => id)).to.deep.equal(['1', '2', '3']);
    expect(rows[2]).to.have.property('name', 'audit_first');
    expect(new Set(rows.map(({ name }) => String(name)))).to.have.property('size', 3);
  });

  it('cannot be read, written or made by the role of a vault but through the log', async () => {
    for (const { name } of await partitions()) {
      for (const statement of [`SELECT FROM ${name}`, `DELETE FROM ${name}`, `DROP TABLE ${name}`]) {
        const refused = postgres.acrossTenants('test').queryOnce('attempt', statement);
        expect(await refused.then(String, sqlStateOf), statement).to.equal('42501');
      }
    }
    for (const statement of [`UPDATE audit_first SET reason = 'x'`, 'TRUNCATE audit_first']) {
      expect(await fixture.sql(statement).then(String, String)).to.include('append-only');
    }
  });

  it('are dropped whole after their time, with a proof for each range that was in them', async () => {
    await ageLog();
    for (const months of [14, 14, 3, 2, 0]) {
      await add(`now() - interval '${months} months'`, 3);
      await seals.seal();
    }
    const before = await partitions();
    await purge(new Date(Date.now() - 70 * dayMs));
    const left = await partitions();
    expect(left.length).to.be.below(before.length - 8);
    expect(left[0]?.ends.getTime()).to.be.above(Date.now() - 70 * dayMs);
    const [{ count } = {}] = await fixture.sql<{ count: string }>('SELECT count(*) FROM audit');
    expect(count).to.equal('6');
    expect(await verify()).to.include({ intact: true, ranges: 5, purged_ranges: 3, rows: 6 });
    await purge(new Date(Date.now() - 70 * dayMs));
    expect(await partitions()).to.deep.equal(left);

    await withClient(fixture.ground.databaseUrl, (client) =>
      client.query(`SET session_replication_role = 'replica'; DROP TABLE ${left[0]?.name}`),
    );
    expect(await verify(), 'dropped by somebody without the key').to.have.property('intact', false);
  });

  it('stay while an entry in them is not sealed, or a range of them has no proof', async () => {
    await ageLog();
    await add(`now() - interval '3 months'`);
    await seals.seal();
    await add(`now() - interval '3 months'`);
    const [{ name } = {}] = await fixture.sql<{ name: string }>(
      'SELECT tableoid::regclass AS name FROM audit',
    );
    const drop = (numbers: string) =>
      fixture
        .sql(`SELECT drop_audit_partition($1, now(), ${numbers}, array_fill('x'::bytea, ARRAY[1]))`, [name])
        .then(String, String);
    expect(await drop(`'{1}'`)).to.include('are not sealed');
    await seals.seal();
    expect(await drop(`'{1}'`)).to.include('has no proof');
    const [current] = (await partitions()).slice(-1);
    const dropCurrent = await fixture.sql<{ dropped: boolean }>(
      `SELECT drop_audit_partition($1, now(), '{}', '{}') AS dropped`,
      [current?.name],
    );
    expect(dropCurrent, 'its time is not over').to.deep.equal([{ dropped: false }]);
    expect(await verify()).to.include({ intact: true, rows: 2 });
  });

  it('are dropped after a backup has ended, and block no writer', async () => {
    await ageLog();
    await add(`now() - interval '3 months'`);
    await seals.seal();
    const old = new Date(Date.now() - 40 * dayMs);
    await withClient(fixture.ground.databaseUrl, async (backup) => {
      await backup.query('BEGIN; LOCK TABLE audit IN ACCESS SHARE MODE');
      const purged = seals.purge(old).then(String, sqlStateOf);
      await fixture.token();
      expect(await purged).to.equal('55P03');
      await backup.query('COMMIT');
    });
    await purge(old);
    expect(await verify()).to.include({ intact: true, purged_ranges: 1 });
  });

  it('are made before a vault serves, even when none ran for long, and a metric says how far they reach', async () => {
    await ageLog();
    await fixture.sql(`
      DO $$ DECLARE one record; BEGIN
        FOR one IN SELECT name FROM audit_partitions() WHERE starts > now() - interval '4 months' LOOP
          EXECUTE format('DROP TABLE %I', one.name);
        END LOOP;
      END $$`);
    expect(await fixture.token().then(String, String)).to.include('could not be recorded');
    await using other = await fixture.anotherVault();
    expect(await other.gateway.create(fixture.owner, { type: 'token', data: 1 })).to.have.property('id');
    const registry = createMetrics('test');
    addLogRoomGauge(registry, auditLog(postgres.withoutTenant));
    const room = /^glovebox_log_room_seconds\S* (\S+)$/m.exec(await registry.metrics())?.[1];
    expect(Number(room)).to.be.above((59 * dayMs) / 1000);
  });
});

/** Migrations up to this number made the log a plain table. */
const lastOfPlain = 42;

describe('the audit log of an installation from before there were partitions', () => {
  it('becomes the first partition as it is, and goes on for vaults of either version', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vault-test-'));
    await cp(migrationsFolder, folder.path, { recursive: true });
    for (const name of await readdir(folder.path)) {
      if (Number(name.slice(0, 4)) > lastOfPlain) await rm(join(folder.path, name));
    }
    // The role of a service is made with the first migrated database.
    const { serviceUrl } = await createMigratedDatabase();
    const url = await createDatabase();
    const role = new URL(serviceUrl);
    await migrate(new Secret(url), folder.path, { role: role.username, rights: schema.rights });
    role.pathname = new URL(url).pathname;
    const tenants = [randomUUID(), randomUUID()];
    const across = `SET glovebox.across_tenants = 'test'`;

    await withClient(role.href, async (old) => {
      await old.query(across);
      const insert = (tenantId: unknown, ago = '0') =>
        old.query({
          name: 'insert',
          text: `INSERT INTO audit (tenant_id, operation, token_id, outcome, at)
                 VALUES ($1, 'read', 't', 'allowed', now() - $2::interval)`,
          values: [tenantId, ago],
        });
      const list = () =>
        old.query({
          name: 'list',
          text: 'SELECT id FROM searchable_audit WHERE tenant_id = $1 ORDER BY at DESC, id DESC',
          values: [tenants[0]],
        });
      const lastId = `SELECT pg_sequence_last_value(pg_get_serial_sequence('audit', 'id')::regclass) AS id`;
      for (let n = 0; n < 200; n += 1) await insert(tenants[n % 2], `${n} days`);
      const before = (await list()).rows;
      const storage = async (name: string) =>
        withClient(url, async (client) => {
          const { rows } = await client.query(`SELECT pg_relation_filenode($1::regclass) AS file`, [name]);
          return rows[0]?.file as unknown;
        });
      const file = await storage('audit');

      expect(
        await migrate(new Secret(url), migrationsFolder, { role: role.username, rights: schema.rights }),
      ).to.include('0052_audit_in_partitions.sql');

      expect(await storage('audit_first'), 'the table was not rewritten').to.equal(file);
      // The statements of the version before, on a connection that has prepared them.
      expect((await list()).rows).to.deep.equal(before);
      await insert(tenants[0]);
      expect((await list()).rows[0]).to.deep.equal({ id: '201' });
      expect((await old.query(lastId)).rows).to.deep.equal([{ id: '201' }]);
      const purge = `SELECT purge_sealed_audit(1, now(), 'x')`;
      await old.query(
        `INSERT INTO audit_seal (number, after_id, last_id, row_count, newest_at, rows_digest, digest)
         VALUES (1, 0, 20, 20, now(), 'x', 'x')`,
      );
      expect((await old.query(purge)).rows).to.deep.equal([{ purge_sealed_audit: 20 }]);
      expect((await list()).rows).to.have.length(before.length + 1 - 10);
      await old.query(`SELECT make_audit_partitions(now() + interval '100 days', 'month')`);
    });
    const found = await withClient(url, async (client) => {
      const invalid = await client.query('SELECT FROM pg_index WHERE NOT indisvalid');
      const missing = await client.query(
        `SELECT p.indexrelid::regclass FROM pg_index p, audit_partitions() AS part
          WHERE p.indrelid = 'audit'::regclass AND NOT EXISTS (
            SELECT FROM pg_inherits JOIN pg_index c ON c.indexrelid = inhrelid
             WHERE inhparent = p.indexrelid AND c.indrelid = part.name::regclass)`,
      );
      const { rows } = await client.query<{ name: string }>('SELECT name FROM audit_partitions()');
      return { invalid: invalid.rowCount, missing: missing.rows, partitions: rows.length };
    });
    expect(found).to.deep.include({ invalid: 0, missing: [] });
    expect(found.partitions).to.be.above(2);
  });

  it('holds its lock on the log for a moment only, so that a backup blocks nothing', async () => {
    const url = await createDatabase();
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vault-test-'));
    await cp(migrationsFolder, folder.path, { recursive: true });
    for (const name of await readdir(folder.path)) {
      if (Number(name.slice(0, 4)) > 51) await rm(join(folder.path, name));
    }
    await migrate(new Secret(url), folder.path);
    await withClient(url, async (backup) => {
      await backup.query('BEGIN; LOCK TABLE audit IN ACCESS SHARE MODE');
      const migrated = migrate(new Secret(url), migrationsFolder);
      await withClient(url, async (client) => {
        const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'audit'::regclass`;
        await until('it waits', async () => (await client.query(waits)).rowCount === 1);
        await client.query(`SET statement_timeout = '5s'`);
        const row = `INSERT INTO audit (tenant_id, operation, outcome) VALUES ($1, 'read', 'allowed')`;
        expect((await client.query(row, [randomUUID()])).rowCount).to.equal(1);
      });
      await backup.query('COMMIT');
      expect(await migrated).to.include('0052_audit_in_partitions.sql');
    });
  }).timeout(20_000);
});
