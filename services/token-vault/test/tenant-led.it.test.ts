import { randomUUID } from 'node:crypto';
import { cp, mkdtempDisposable, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '@glovebox/platform/db/migrate';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { findNotLed } from '../../../test/harness/tenant-led.ts';
import { migrationsFolder } from '../src/store/migrations.ts';
import { createDatabase, createMigratedDatabase, withClient } from './harness/servers.ts';

/** Why something does not begin with the tenant. */
const exceptions: Readonly<Record<string, string>> = {
  idempotency_record_scope: 'the release before names it where an answer is there already',
};

describe('the tables of the vault', () => {
  it('begin every primary key, unique index and foreign key of rows of tenants with the tenant', async () => {
    const { adminUrl } = await createMigratedDatabase();
    const { names, tables } = await withClient(adminUrl, findNotLed);
    expect(names).to.deep.equal(Object.keys(exceptions));
    expect(tables).to.include.members(['token', 'token_association', 'audit', 'token_activity']);
  });

  it('that grow with time are in partitions by it', async () => {
    const { adminUrl } = await createMigratedDatabase();
    const { rows } = await withClient(adminUrl, (client) =>
      client.query<{ name: string }>(
        'SELECT partrelid::regclass::text AS name FROM pg_partitioned_table ORDER BY 1',
      ),
    );
    expect(rows.map(({ name }) => name)).to.deep.equal(['audit', 'token_activity']);
  });

  it('keep their rows when they are brought up to date, and take those of the release before', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vault-test-'));
    await cp(migrationsFolder, folder.path, { recursive: true });
    for (const name of await readdir(folder.path)) {
      if (Number(name.slice(0, 4)) > 42) await rm(join(folder.path, name));
    }
    const url = await createDatabase();
    await migrate(new Secret(url), folder.path);
    await withClient(url, async (client) => {
      const tenant = randomUUID();
      const write = async (token: string) => {
        await client.query({
          name: 'active',
          text: `INSERT INTO token_activity (month, tenant_id, token_id)
                 SELECT date_trunc('month', now())::date, $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
          values: [tenant, ['same', token]],
        });
        await client.query({
          name: 'answer',
          text: `INSERT INTO idempotency_record (scope, tenant_id, expires_at) VALUES ('s', $1, now())
                 ON CONFLICT (scope) DO UPDATE SET answer = 'again'`,
          values: [tenant],
        });
      };
      const active = async () =>
        (await client.query<{ id: string }>('SELECT token_id AS id FROM token_activity ORDER BY 1')).rows.map(
          ({ id }) => id,
        );
      await write('a');
      await migrate(new Secret(url), migrationsFolder);
      await write('b');
      expect(await active()).to.deep.equal(['a', 'b', 'same']);
      const answers = await client.query('SELECT tenant_id, answer FROM idempotency_record');
      expect(answers.rows).to.deep.equal([{ tenant_id: tenant, answer: Buffer.from('again') }]);
      const [made] = (
        await client.query(`SELECT make_activity_partitions(now() + interval '90 days', 'month')`)
      ).rows;
      expect(made).to.have.property('make_activity_partitions').that.is.above(0);
      await client.query(`DELETE FROM token_activity WHERE month < '2000-01-01'`);
    });
  });
});
