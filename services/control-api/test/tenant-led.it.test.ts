import { randomUUID } from 'node:crypto';
import { cp, mkdtempDisposable, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '@glovebox/platform/db/migrate';
import { expect } from 'chai';
import pg from 'pg';

import { findNotLed } from '../../../test/harness/tenant-led.ts';
import { migrationsFolder } from '../src/migrations.ts';
import { emptyInstallation, newInstallation } from './harness/stores.ts';

/** Why something does not begin with the tenant. */
const exceptions: Readonly<Record<string, string>> = {
  idempotency_record_scope: 'the release before names it where an answer is there already',
  proxy_rollouts_of: 'the release before names it where a rollout is there already',
  proxy_versions_of: 'the release before names it where a draft is there already',
  reactor_formula_versions_of: 'the release before names it where a draft is there already',
  reactor_rollouts_of: 'the release before names it where a rollout is there already',
  reactor_versions_of: 'the release before names it where a draft is there already',
};

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

describe('the tables of control-api', () => {
  it('begin every primary key, unique index and foreign key of rows of tenants with the tenant', async () => {
    const { databaseUrl } = await newInstallation();
    const { names, tables } = await connected(databaseUrl.reveal(), findNotLed);
    expect(names).to.deep.equal(Object.keys(exceptions));
    expect(tables).to.include.members(['applications', 'application_keys', 'proxy_versions', 'logs']);
  });

  it('that grow with time are in partitions by it', async () => {
    const { databaseUrl } = await newInstallation();
    const { rows } = await connected(databaseUrl.reveal(), (client) =>
      client.query<{ name: string }>('SELECT partrelid::regclass::text AS name FROM pg_partitioned_table'),
    );
    expect(rows).to.deep.equal([{ name: 'logs' }]);
  });

  it('keep their rows when they are brought up to date, and take those of the release before', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'control-test-'));
    await cp(migrationsFolder, folder.path, { recursive: true });
    for (const name of await readdir(folder.path)) {
      if (Number(name.slice(0, 4)) > 48) await rm(join(folder.path, name));
    }
    const { databaseUrl } = await emptyInstallation();
    await migrate(databaseUrl, folder.path);
    await connected(databaseUrl.reveal(), async (client) => {
      const made = {
        tenant: randomUUID(),
        other: randomUUID(),
        formula: randomUUID(),
        reactor: randomUUID(),
      };
      const { tenant, other, formula, reactor } = made;
      const ids = { proxy: randomUUID(), application: randomUUID() };
      const by = `'${randomUUID()}', now()`;
      const version = (table: string, id: string, number: number) =>
        client.query(
          `INSERT INTO ${table} (resource_id, version, created_by, created_at, definition)
           VALUES ($1, $2, ${by}, '{}') ON CONFLICT (resource_id, version) DO UPDATE SET definition = '{"n": 2}'`,
          [id, number],
        );
      const key = (hash: string) =>
        client.query(
          `INSERT INTO application_keys (key_hash, application_id, created_at) VALUES ($1, $2, now())`,
          [hash, ids.application],
        );
      const rollout = (table: string, id: string) =>
        client.query(
          `INSERT INTO ${table} (resource_id, id, version, percent, state, revision, created_by, created_at)
           VALUES ($1, gen_random_uuid(), 1, 5, 'running', 1, ${by}) ON CONFLICT (resource_id) DO UPDATE SET percent = 7`,
          [id],
        );
      const answer = () =>
        client.query(
          `INSERT INTO idempotency_record (scope, tenant_id, expires_at) VALUES ('s', $1, now())
           ON CONFLICT (scope) DO UPDATE SET answer = 'again'`,
          [tenant],
        );
      await client.query(
        `INSERT INTO tenants (id, owner_id, name, settings, version, created_by, created_at)
         VALUES ('${tenant}', gen_random_uuid(), 'a', '{}', 1, ${by}), ('${other}', gen_random_uuid(), 'b', '{}', 1, ${by});
         INSERT INTO applications (id, tenant_id, name, type, permissions, rules, version, created_by, created_at)
         VALUES ('${ids.application}', '${tenant}', 'a', 'private', '{}', '[]', 1, ${by});
         INSERT INTO proxies (id, tenant_id, name, key_hash, sealed_key, destination_url, require_auth, version,
                              created_by, created_at, modified_by, modified_at)
         VALUES ('${ids.proxy}', '${tenant}', 'p', 'h', '', 'https://a.example', true, 1, ${by}, ${by});
         INSERT INTO reactor_formulas (id, tenant_id, name, code, configuration, request_parameters, created_by, created_at)
         VALUES ('${formula}', '${tenant}', 'f', '', '[]', '[]', ${by});
         INSERT INTO reactors (id, tenant_id, formula_id, name, sealed_configuration, version, created_by, created_at)
         VALUES ('${reactor}', '${tenant}', '${formula}', 'r', '{}', 1, ${by})`,
      );
      const log = () =>
        client.query({
          name: 'log',
          text: `INSERT INTO logs (tenant_id, operation, entity_type, entity_id) VALUES ($1, 'x', 'x', 'x')`,
          values: [tenant],
        });
      const work = async () => {
        await log();
        await version('proxy_versions', ids.proxy, 1);
        await version('reactor_versions', reactor, 1);
        await version('reactor_formula_versions', formula, 1);
        await rollout('proxy_rollouts', ids.proxy);
        await rollout('reactor_rollouts', reactor);
        await answer();
      };
      await work();
      await key('first');
      await client.query(
        `INSERT INTO console_sessions (id_hash, tenant_id, key_hash, created_at, last_seen_at)
         VALUES ('x', $1, 'first', now(), now())`,
        [tenant],
      );

      expect(await migrate(databaseUrl, migrationsFolder)).to.include(
        '0055_rows_are_led_by_their_tenant.sql',
      );

      await work();
      await version('proxy_versions', ids.proxy, 2);
      await key('second');
      const children = [
        ['application_keys', 2],
        ['proxy_versions', 2],
        ['reactor_versions', 1],
        ['reactor_formula_versions', 1],
        ['proxy_rollouts', 1],
        ['reactor_rollouts', 1],
        ['console_sessions', 1],
        ['idempotency_record', 1],
      ] as const;
      const owners = async (table: string) =>
        (await client.query<{ tenant_id: string }>(`SELECT tenant_id FROM ${table}`)).rows.map(
          (row) => row.tenant_id,
        );
      for (const [table, count] of children) {
        expect(await owners(table), table).to.deep.equal(Array.from({ length: count }, () => tenant));
      }
      const logged = await client.query('SELECT id, tableoid::regclass::text AS part FROM logs ORDER BY at');
      expect(logged.rows).to.deep.equal(['1', '2'].map((id) => ({ id, part: 'logs_first' })));
      const [row] = (await client.query('SELECT percent FROM proxy_rollouts')).rows;
      expect(row).to.deep.equal({ percent: 7 });

      const moved = client.query('UPDATE proxy_versions SET tenant_id = $1', [other]).then(String, String);
      expect(await moved).to.include('proxy_versions_proxy');
      await client.query('DELETE FROM reactors');
      await client.query('DELETE FROM tenants WHERE id = $1', [tenant]);
      for (const [table] of children) {
        if (table !== 'idempotency_record') expect(await owners(table), table).to.deep.equal([]);
      }
    });
  });
});
