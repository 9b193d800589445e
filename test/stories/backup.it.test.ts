import { execFile } from 'node:child_process';
import { access, appendFile, mkdir, mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { readRunning } from '@glovebox/local/run-journal';
import { expect } from 'chai';
import pg from 'pg';

import { apiOf } from '../harness/api.ts';
import { compileCache } from '../harness/compile-cache.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (script: string, args: readonly string[], env: Record<string, string | undefined>) =>
  new Promise<Ended>((resolve) => {
    const command = ['--conditions=source', script, ...args];
    execFile(
      process.execPath,
      command,
      { cwd: checkout, env: { ...compileCache, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

async function isOnPath(program: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = await Promise.allSettled(folders.map((folder) => access(join(folder, program))));
  return found.some(({ status }) => status === 'fulfilled');
}

describe('a backup', function () {
  this.timeout(180_000);
  let stack: AsyncDisposableStack;
  let postgres: RunningPostgres;
  let system: System;
  let folder: string;

  before(async function () {
    stack = new AsyncDisposableStack();
    // Of the same version as pg_dump, which refuses servers that are newer.
    const server = (await isOnPath('pg_dump'))
      ? await startPostgres({ ephemeral: true, source: 'system' }).catch(() => undefined)
      : undefined;
    if (server === undefined) {
      process.stderr.write('this machine has no PostgreSQL of its own: backups are not tested\n');
      this.skip();
    }
    postgres = stack.use(server);
    system = stack.use(await startSystem({ env: { DATABASE_URL: postgres.adminUrl } }));
    folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'glovebox-backup-'))).path;
  });
  after(() => stack.disposeAsync());

  const glovebox = (args: readonly string[], env: Record<string, string> = {}) =>
    run('deploy/local/src/glovebox.ts', args, {
      PATH: process.env['PATH'],
      GLOVEBOX_STATE_DIR: system.stateDir,
      ...env,
    });
  const emptyDatabases = async (suffix: string) => {
    const client = new pg.Client({ connectionString: postgres.adminUrl });
    await client.connect();
    for (const name of ['control', 'vault']) await client.query(`CREATE DATABASE ${name}_${suffix}`);
    await client.end();
    return {
      CONTROL_DATABASE_URL: postgres.url(`control_${suffix}`),
      VAULT_DATABASE_URL: postgres.url(`vault_${suffix}`),
    };
  };

  it('of a running system is restored into empty databases: every token opens, and the audit log matches', async () => {
    const api = apiOf(system);
    for (const data of ['a', 'b', 'c']) {
      const answer = await api.send('POST', '/tokens', {
        key: system.dev.private_api_key,
        body: { type: 'token', data },
      });
      expect(answer.status).to.equal(201);
    }
    const directory = join(folder, 'one');
    const made = await glovebox(['backup', directory]);
    expect(made.code, made.stderr).to.equal(0);
    const urls = await emptyDatabases('restored');
    const restored = await glovebox(['restore', directory], urls);
    expect([restored.code, restored.stdout], restored.stderr).to.deep.equal([0, made.stdout]);

    const keyFile = readRunning(system.stateDir)?.system?.keyFile ?? '';
    const vault = (...args: string[]) =>
      run('services/token-vault/src/cli.ts', args, {
        DATABASE_URL: urls.VAULT_DATABASE_URL,
        KEY_FILE: keyFile,
      });
    const opened = await vault('keys', 'rotate', '--no-wait');
    expect(opened.code, opened.stderr).to.equal(0);
    expect(JSON.parse(opened.stdout)).to.include({ tokens_resealed: 3, tokens_unreadable: 0 });
    expect(JSON.parse((await vault('audit', 'verify')).stdout)).to.include({ intact: true });
    const { key_encryption_keys } = JSON.parse(made.stdout) as { key_encryption_keys: string[] };
    expect(key_encryption_keys).to.have.length(1);
    for (const file of ['control.dump', 'vault.dump', 'manifest.json']) {
      expect((await readFile(join(directory, file))).includes(system.dev.private_api_key)).to.equal(false);
    }

    const again = await glovebox(['restore', directory], urls);
    expect(again.code).to.equal(65);
    expect(again.stderr).to.include('the database for control is not empty');
    const twice = await glovebox(['backup', directory]);
    expect(twice.code).to.equal(69);
    expect(twice.stderr).to.include('cannot be made (EEXIST)');
  });

  it('that was changed or is not whole is not restored, and neither is any without databases to restore it into', async () => {
    const directory = join(folder, 'two');
    expect((await glovebox(['backup', directory])).code).to.equal(0);
    const nowhere = await glovebox(['restore', directory]);
    expect(nowhere.code).to.equal(78);
    expect(nowhere.stderr)
      .to.include('CONTROL_DATABASE_URL is required')
      .and.to.include('VAULT_DATABASE_URL');
    const away = {
      CONTROL_DATABASE_URL: 'postgres://127.0.0.1:1/c',
      VAULT_DATABASE_URL: 'postgres://127.0.0.1:1/v',
    };
    const unreachable = await glovebox(['restore', directory], away);
    expect([unreachable.code, unreachable.stderr.includes('a database cannot be used')]).to.deep.equal([
      69,
      true,
    ]);
    await appendFile(join(directory, 'vault.dump'), 'x');
    const changed = await glovebox(['restore', directory], await emptyDatabases('untouched'));
    expect(changed.code).to.equal(65);
    expect(changed.stderr).to.include('vault.dump is missing or was changed');
    expect((await glovebox(['restore', folder], await emptyDatabases('other'))).stderr).to.include(
      'no manifest.json',
    );
  });

  it('is made by a role that may only read, every time to a folder of its own, and those too old are removed', async () => {
    const { control, vault } = readRunning(system.stateDir)!.system!.databases;
    const client = new pg.Client({ connectionString: postgres.adminUrl });
    await client.connect();
    await client.query("CREATE ROLE reader LOGIN PASSWORD 'of-reader' IN ROLE pg_read_all_data");
    for (const url of [control, vault]) {
      await client.query(`GRANT CONNECT ON DATABASE "${new URL(url).pathname.slice(1)}" TO reader`);
    }
    await client.end();
    const asReader = (url: string) =>
      Object.assign(new URL(url), { username: 'reader', password: 'of-reader' }).href;
    const env = { CONTROL_DATABASE_URL: asReader(control), VAULT_DATABASE_URL: asReader(vault) };
    const dated = join(folder, 'dated');
    await mkdir(dated);
    const made: string[] = [];
    for (let count = 0; count < 2; count++) {
      // Two within a second have one name, and the second of them fails.
      const before = new Date().getSeconds();
      await until('another second', () => new Date().getSeconds() !== before);
      const { code, stderr } = await glovebox(['backup', dated, '--dated', '--keep', '1'], env);
      expect(code, stderr).to.equal(0);
      made.push(/(\S+) is written/.exec(stderr)![1]!);
    }
    const { stdout } = await glovebox(['backups', dated]);
    expect(JSON.parse(stdout)).to.deep.equal({ backups: made.slice(1) });
    const into = await emptyDatabases('dated');
    const restored = await glovebox(['restore', made[1]!], into);
    expect(restored.code, restored.stderr).to.equal(0);
    // Without the scope of backups, row-level security would leave nothing.
    for (const [url, table] of [
      [into.CONTROL_DATABASE_URL, 'application_keys'],
      [into.VAULT_DATABASE_URL, 'token'],
    ]) {
      const filled = new pg.Client({ connectionString: url });
      await filled.connect();
      const { rows } = await filled.query(`SELECT 1 FROM ${table} LIMIT 1`);
      await filled.end();
      expect(rows, table).to.have.length(1);
    }
  });

  it('says so when there is no pg_dump', async () => {
    const { code, stderr } = await glovebox(['backup', join(folder, 'three')], { PATH: '/nowhere' });
    expect(code).to.equal(69);
    expect(stderr).to.include('pg_dump is not on the PATH');
    expect((await glovebox(['backup'])).code).to.equal(64);
  });
});
