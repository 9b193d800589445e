import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type DisposableTempDir, copyFileSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureKeyFile } from '@glovebox/local/key-file';
import { checkout } from '@glovebox/local/places';
import { freePort } from '@glovebox/local/ports';
import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { expect } from 'chai';
import pg from 'pg';

import { compileCache } from '../harness/compile-cache.ts';
import { testPublication, testPublicationKeyFile } from '../harness/test-publication.ts';
import { until } from '../harness/until.ts';

const services = ['control-api', 'token-vault'] as const;
type Service = (typeof services)[number];

interface Started {
  /** What /readyz says, once it says that about this. */
  reason(name: string): Promise<string>;
  /** Resolves when it is no reason any more. */
  isMended(name: string): Promise<void>;
  isAlive(): Promise<boolean>;
  readonly said: string;
  /** Gives the exit code. */
  stop(): Promise<number | null>;
}

/** What a restart would not mend is waited for: no service ends itself for it, and none is ready. */
describe('a service that cannot start yet', function () {
  this.timeout(60_000);
  let postgres: RunningPostgres;
  let folder: DisposableTempDir;
  const running: ChildProcess[] = [];

  before(async () => {
    postgres = await startPostgres({ ephemeral: true });
    folder = mkdtempDisposableSync(join(tmpdir(), 'glovebox-not-ready-'));
    ensureKeyFile(keyFile('good'));
  });
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });
  after(async () => {
    await postgres.stop();
    folder.remove();
  });

  const keyFile = (name: string) => join(folder.path, `${name}.json`);
  const query = async (database: string, text: string) => {
    const client = new pg.Client({ connectionString: postgres.url(database) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const tablesOf = (database: string) =>
    query(database, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`);

  async function start(service: Service, settings: Readonly<Record<string, string>>): Promise<Started> {
    const metricsPort = await freePort();
    const own =
      service === 'token-vault' ? { GRPC_PORT: '0', KEY_FILE: keyFile('good') } : { HTTP_PORT: '0' };
    const peers = { PEERS: `control-api=${'0'.repeat(64)}`, SERVICE_TOKEN: 'a token' };
    const away = {
      PUBLICATION_PUBLIC_KEYS: testPublication.setting,
      PUBLICATION_KEY_FILE: testPublicationKeyFile(),
      REDIS_URL: 'redis://127.0.0.1:1',
      VAULT_ADDRESS: '127.0.0.1:1',
      RUNNER_ADDRESS: '127.0.0.1:1',
    };
    const env = {
      ...compileCache,
      METRICS_PORT: String(metricsPort),
      ...own,
      ...peers,
      ...away,
      ...settings,
    };
    const main = `services/${service}/src/main.ts`;
    const child = spawn(process.execPath, ['--conditions=source', main], {
      cwd: checkout,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
    const ask = (path: string) => fetch(`http://127.0.0.1:${metricsPort}${path}`).catch(() => undefined);
    const reasons = async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said}`);
      const answer = await ask('/readyz');
      if (answer === undefined) return undefined;
      return ((await answer.json()) as { reasons: Record<string, string> }).reasons;
    };
    return {
      async reason(name) {
        let reason: string | undefined;
        await until(`${name} keeps it from being ready`, async () => {
          reason = (await reasons())?.[name];
          return reason !== undefined && reason !== 'it is under way';
        });
        return reason as string;
      },
      isMended: (name) =>
        until(`${name} is mended`, async () => {
          const now = await reasons();
          return now !== undefined && now[name] === undefined;
        }),
      isAlive: async () => (await ask('/livez'))?.status === 200,
      get said() {
        return said;
      },
      async stop() {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        return ((await exit) as [number | null])[0];
      },
    };
  }

  for (const service of services) {
    it(`says that its database is away, and goes on when it is there: ${service}`, async () => {
      const database = `late_${service.replace('-', '_')}`;
      const started = await start(service, { DATABASE_URL: postgres.url(database) });
      // "There is no such database", in Postgres' own words.
      expect(await started.reason('postgres')).to.equal('the database cannot be used (3D000)');
      expect(await started.isAlive()).to.equal(true);
      await query('postgres', `CREATE DATABASE ${database}`);
      await started.isMended('postgres');
      expect(await tablesOf(database)).to.have.length.above(5);
      expect(await started.stop()).to.equal(0);
    });

    it(`ends in order while it waits: ${service}`, async () => {
      const started = await start(service, { DATABASE_URL: 'postgres://user:s3cret@127.0.0.1:1/none' });
      expect(await started.reason('postgres')).to.equal('the database cannot be used (ECONNREFUSED)');
      expect(await started.stop()).to.equal(0);
      expect(started.said).to.include('ECONNREFUSED').and.not.include('s3cret');
    });

    it(`touches no database of something else, and says so: ${service}`, async () => {
      const database = `foreign_${service.replace('-', '_')}`;
      await query('postgres', `CREATE DATABASE ${database}`);
      await query(database, 'CREATE TABLE orders (id int)');
      const started = await start(service, { DATABASE_URL: postgres.url(database) });
      expect(await started.reason('postgres')).to.equal('the database has tables of another program');
      expect(await tablesOf(database)).to.deep.equal([{ relname: 'orders' }]);
      expect(await started.isAlive()).to.equal(true);
      expect(await started.stop()).to.equal(0);
    });
  }

  it('touches no database of another service, and says so', async () => {
    const control = await start('control-api', { DATABASE_URL: postgres.url('late_control_api') });
    await control.isMended('postgres');
    const before = await tablesOf('late_control_api');
    const started = await start('token-vault', { DATABASE_URL: postgres.url('late_control_api') });
    expect(await started.reason('postgres')).to.match(
      /^the database belongs to another program: its migrations include 0001_/,
    );
    expect(await tablesOf('late_control_api')).to.deep.equal(before);
  });

  it('says what is wrong with its key file without quoting it, and goes on when that is mended', async () => {
    const file = keyFile('bad');
    writeFileSync(file, '{"s3cret', { mode: 0o600 });
    const settings = { DATABASE_URL: postgres.url('late_token_vault'), KEY_FILE: file };
    const started = await start('token-vault', settings);
    expect(await started.reason('keys')).to.match(/^KEY_FILE: .*is not JSON/);
    expect(await started.isAlive()).to.equal(true);
    copyFileSync(keyFile('good'), file);
    await started.isMended('keys');
    expect(started.said).not.to.include('s3cret');
    expect(await started.stop()).to.equal(0);
  });
});
