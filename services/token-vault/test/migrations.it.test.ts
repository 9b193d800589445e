import { cp, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '@glovebox/platform/db/migrate';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { migrationsFolder } from '../src/store/migrations.ts';
import { createDatabase, withClient } from './harness/servers.ts';

describe('the migrations of the vault', () => {
  it('run once, however many processes start at the same time', async () => {
    const url = new Secret(await createDatabase());
    const ran = await Promise.all([1, 2, 3].map(() => migrate(url, migrationsFolder)));
    expect(ran.filter((names) => names.length > 0)).to.have.length(1);
  });

  it('build an index on what is in use without a transaction, and again where that was broken off', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vault-test-'));
    await cp(migrationsFolder, folder.path, { recursive: true });
    const databaseUrl = await createDatabase();
    await migrate(new Secret(databaseUrl), folder.path);
    const again = `-- no transaction: a test.
DROP INDEX CONCURRENTLY IF EXISTS broken_off;
CREATE INDEX CONCURRENTLY broken_off ON token (created_at);
`;
    await writeFile(join(folder.path, '9999_again.sql'), again);
    // As it lies there after a process was killed in the middle.
    await withClient(databaseUrl, (client) => client.query('CREATE INDEX broken_off ON token (id)'));
    expect(await migrate(new Secret(databaseUrl), folder.path)).to.deep.equal(['9999_again.sql']);
    const [index] = await withClient(
      databaseUrl,
      async (client) => (await client.query(`SELECT pg_get_indexdef('broken_off'::regclass) AS text`)).rows,
    );
    expect(index).to.have.property('text').that.includes('(created_at)');
  });

  it('wait for a table that a backup reads, without keeping anybody else from it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vault-test-'));
    await cp(migrationsFolder, folder.path, { recursive: true });
    const databaseUrl = await createDatabase();
    await migrate(new Secret(databaseUrl), folder.path);
    await writeFile(join(folder.path, '9999_column.sql'), 'ALTER TABLE token ADD COLUMN later text;');
    const isWaiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'token'::regclass`;
    await withClient(databaseUrl, async (reader) => {
      await reader.query('BEGIN');
      await reader.query('LOCK TABLE token IN ACCESS SHARE MODE');
      const migrated = migrate(new Secret(databaseUrl), folder.path);
      await withClient(databaseUrl, async (client) => {
        await until('it waits', async () => (await client.query(isWaiting)).rowCount === 1);
        await client.query(`SET statement_timeout = '5s'`);
        expect((await client.query('SELECT FROM token LIMIT 1')).rowCount).to.equal(0);
      });
      await reader.query('COMMIT');
      expect(await migrated).to.deep.equal(['9999_column.sql']);
    });
  }).timeout(20_000);
});
