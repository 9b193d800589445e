import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { checkout } from '@glovebox/local/places';
import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { expect } from 'chai';
import pg from 'pg';

import { compileCache } from '../../../test/harness/compile-cache.ts';

const run = promisify(execFile);

describe('the commands that migrate the databases', () => {
  let postgres: RunningPostgres;

  before(async () => {
    postgres = await startPostgres({ databaseUrl: process.env['DATABASE_URL'], ephemeral: true });
  });
  after(() => postgres.stop());

  async function migrate(service: string, env: Record<string, string>) {
    const main = join(checkout, 'services', service, 'src/migrate-main.ts');
    return await run(process.execPath, ['--conditions=source', main], { env: { ...compileCache, ...env } });
  }

  for (const service of ['control-api', 'token-vault']) {
    it(`bring the database of ${service} up to date once, with nothing but its URL`, async () => {
      const name = `migrate_${service.replace('-', '_')}_${process.pid}`;
      const client = new pg.Client({ connectionString: postgres.adminUrl });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      const files = await readdir(join(checkout, 'services', service, 'migrations'));
      const env = { DATABASE_URL: postgres.url(name) };
      const ran = async () => JSON.parse((await migrate(service, env)).stdout) as unknown;
      // Two at once, as when a job is started again while the first of it still runs.
      const both = (await Promise.all([ran(), ran()])) as { ran: string[] }[];
      expect(both.flatMap((line) => line.ran).sort()).to.deep.equal(files.sort());
      expect(await ran()).to.deep.equal({ msg: 'migrated', ran: [] });
    });

    it(`end with 78 when ${service} has no URL, and with 1 when no server answers there`, async () => {
      const code = async (env: Record<string, string>) =>
        await migrate(service, env).then(
          () => 0,
          (error: { code: number }) => error.code,
        );
      expect(await code({})).to.equal(78);
      expect(await code({ DATABASE_URL: 'postgres://127.0.0.1:1/nothing' })).to.equal(1);
    });
  }
});
