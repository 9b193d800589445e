import { randomUUID } from 'node:crypto';

import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { expect } from 'chai';
import pg from 'pg';

import { type PgBouncer, findPgBouncer, startPgBouncer } from '../../../test/harness/pgbouncer.ts';
import { type Postgres, createPostgres } from '../src/db/postgres.ts';
import type { AppError } from '../src/errors/app-error.ts';
import { Secret } from '../src/values/secret.ts';

/** Behind a real PgBouncer in transaction mode: two connections for everything. */
describe('a database behind a pooler', function () {
  let server: RunningPostgres;
  let pooler: PgBouncer;
  let admin: pg.Client;
  let postgres: Postgres;
  const tenants = Array.from({ length: 8 }, () => randomUUID());

  before(async function () {
    const program = await findPgBouncer();
    if (program === undefined) {
      process.stderr.write('SKIPPED: there is no PgBouncer, and Debian’s package cannot be fetched\n');
      this.skip();
    }
    server = await startPostgres({ ephemeral: true });
    admin = new pg.Client({ connectionString: server.adminUrl });
    await admin.connect();
    await admin.query("CREATE ROLE service LOGIN PASSWORD 'of-service'");
    await admin.query('CREATE DATABASE pooled OWNER service');
    const direct = new URL(server.url('pooled'));
    const owner = new pg.Client({ connectionString: direct.href });
    await owner.connect();
    await owner.query(`CREATE TABLE kept (tenant_id text, value text);
      ALTER TABLE kept ENABLE ROW LEVEL SECURITY;
      CREATE POLICY in_scope ON kept USING (tenant_id = ANY (
        coalesce(nullif(current_setting('glovebox.tenants', true), ''), '{}')::text[]));
      GRANT ALL ON kept TO service`);
    await owner.end();
    [direct.username, direct.password] = ['service', 'of-service'];
    pooler = await startPgBouncer(program, [direct.href], 2);
    postgres = createPostgres({
      url: new Secret(pooler.url(direct.href)),
      directUrl: new Secret(direct.href),
      settings: { enable_seqscan: 'off' },
      maxConnections: 20,
      statementTimeoutMs: 300,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
  });
  after(async () => {
    await postgres?.[Symbol.asyncDispose]();
    await pooler?.[Symbol.asyncDispose]();
    await admin?.end();
    await server?.stop();
  });

  const valuesOf = (tenant: string) =>
    postgres.forTenant(tenant).query<{ tenant_id: string }>('values', 'SELECT tenant_id FROM kept');

  it('shows each tenant its own rows alone, however statements share connections', async () => {
    await Promise.all(
      tenants.map((tenant) =>
        postgres.forTenant(tenant).transaction(async (tx) => {
          for (const value of ['one', 'two'])
            await tx.query('keep', 'INSERT INTO kept VALUES ($1, $2)', [tenant, value]);
        }),
      ),
    );
    const rounds = Array.from({ length: 25 }, () => tenants).flat();
    await Promise.all(
      rounds.map(async (tenant) => {
        const rows = await valuesOf(tenant);
        expect(rows.map((row) => row.tenant_id)).to.deep.equal([tenant, tenant]);
        // A statement without a tenant sees nothing that one before it has left on the connection.
        expect(await postgres.query('all', 'SELECT FROM kept')).to.deep.equal([]);
        expect(await postgres.transaction((tx) => tx.query('all', 'SELECT FROM kept'))).to.deep.equal([]);
      }),
    );
  });

  it('ends a statement that takes too long, by itself and in a transaction', async () => {
    const sleep = ['sleep', 'SELECT pg_sleep(5)'] as const;
    const [tenant = ''] = tenants;
    const slow = [
      postgres.query(...sleep),
      postgres.forTenant(tenant).query(...sleep),
      postgres.forTenant(tenant).transaction((tx) => tx.query(...sleep)),
    ];
    for (const outcome of await Promise.allSettled(slow)) {
      expect(outcome).to.have.nested.property('reason.code', 'deadline_exceeded');
    }
    expect(await valuesOf(tenant)).to.have.length(2);
  });

  it('has its settings for every statement', async () => {
    const look = ['look', "SELECT current_setting('enable_seqscan') AS seqscan"] as const;
    const [tenant = ''] = tenants;
    for (const within of [postgres, postgres.forTenant(tenant)]) {
      expect(await within.query(...look)).to.deep.equal([{ seqscan: 'off' }]);
      expect(await within.transaction((tx) => tx.query(...look))).to.deep.equal([{ seqscan: 'off' }]);
    }
  });

  it('keeps what it has acknowledged when the pooler dies under load, and serves again', async () => {
    const acknowledged: string[] = [];
    const [tenant = ''] = tenants;
    const over = new AbortController();
    const write = async () => {
      while (!over.signal.aborted) {
        const value = randomUUID();
        try {
          await postgres.forTenant(tenant).query('keep', 'INSERT INTO kept VALUES ($1, $2)', [tenant, value]);
          acknowledged.push(value);
        } catch (error) {
          expect((error as AppError).code).to.be.oneOf(['unavailable', 'deadline_exceeded']);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
    };
    const writers = Array.from({ length: 6 }, write);
    const written = async (more: number) => {
      const wanted = acknowledged.length + more;
      while (acknowledged.length < wanted) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await written(100);
    await pooler.restart();
    await written(100);
    over.abort();
    await Promise.all(writers);
    const rows = await postgres.forTenant(tenant).query<{ value: string }>('kept', 'SELECT value FROM kept');
    const values = new Set(rows.map(({ value }) => value));
    expect(acknowledged.filter((value) => !values.has(value))).to.deep.equal([]);
  });
});
