import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'chai';

import { canReach, postgresAccount, runsAsRoot } from './account.ts';
import { prepareDatabases } from './databases.ts';
import { checkout } from './places.ts';
import { withConnection, withDatabase } from './postgres-connection.ts';
import { startPostgres } from './postgres.ts';
import { StartProblem } from './problem.ts';
import { siblingModule } from './sibling-module.ts';

describe('private Postgres', () => {
  const made: string[] = [];
  afterEach(() => {
    for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
  });

  function directory(): string {
    const path = mkdtempSync(join('/tmp', 'glovebox-test-'));
    chmodSync(path, 0o755);
    made.push(path);
    return path;
  }

  it('runs, wants a password, and leaves no file when it was ephemeral', async () => {
    const postgres = await startPostgres({ ephemeral: true });
    const home = dirname(postgres.dataDir as string);
    const rows = await withConnection(
      postgres.adminUrl,
      async (client) => (await client.query('SHOW fsync')).rows,
    );
    expect(rows).to.deep.equal([{ fsync: 'off' }]);
    const stranger = new URL(postgres.adminUrl);
    stranger.password = 'guess';
    const refusal = await withConnection(stranger.href, (client) => client.query('SELECT 1')).catch(codeOf);
    expect(refusal).to.equal('28P01');
    await postgres.stop();
    expect(existsSync(home)).to.equal(false);
  });

  it('keeps its data and its password from one start to the next', async () => {
    const options = { dataDir: join(directory(), 'data'), password: 'kept' };
    {
      await using first = await startPostgres(options);
      await withConnection(first.adminUrl, (client) => client.query('CREATE TABLE t AS SELECT 42 AS answer'));
    }
    await using second = await startPostgres(options);
    const { rows } = await withConnection(second.adminUrl, (client) => client.query('SELECT answer FROM t'));
    expect(rows).to.deep.equal([{ answer: 42 }]);
    await second.stop();
    const stranger = await startPostgres({ ...options, password: 'other' }).catch((error: unknown) => error);
    expect(stranger)
      .to.be.instanceOf(StartProblem)
      .with.property('message')
      .that.includes('another installation');
  });

  it("gives each service a role that can't connect to another's database", async () => {
    await using postgres = await startPostgres({ ephemeral: true });
    const prepare = () =>
      prepareDatabases({
        adminUrl: postgres.adminUrl,
        passwords: { control: 'c', vault: 'v' },
        isPrivate: true,
      });
    await prepare();
    const { urls, separated } = await prepare();
    const connect = (url: string) => withConnection(url, () => Promise.resolve('connected')).catch(codeOf);
    const { control = '', vault = '' } = urls;
    expect(separated).to.equal(true);
    expect(await connect(control)).to.equal('connected');
    expect(await connect(vault)).to.equal('connected');
    for (const other of ['vault', 'postgres', 'template1']) {
      expect(await connect(withDatabase(control, other))).to.equal('42501');
    }
    expect(await connect(withDatabase(vault, 'control'))).to.equal('42501');
  });

  it('shares the given credentials when the given server allows no roles, and says so', async () => {
    await using postgres = await startPostgres({ ephemeral: true });
    await withConnection(postgres.adminUrl, (client) =>
      client.query("CREATE ROLE u LOGIN CREATEDB PASSWORD 'p'"),
    );
    const adminUrl = postgres.adminUrl.replace(/\/\/[^@]*@/, '//u:p@');
    await using given = await startPostgres({ databaseUrl: adminUrl });
    const { urls, separated } = await prepareDatabases({
      adminUrl: given.adminUrl,
      passwords: { control: 'c', vault: 'v' },
      isPrivate: false,
    });
    expect(separated).to.equal(false);
    const user = await withConnection(urls['vault'] ?? '', async (client) => {
      const { rows } = await client.query('SELECT current_user AS name, current_database() AS database');
      return rows[0] as unknown;
    });
    expect(user).to.deep.equal({ name: 'u', database: 'vault' });
  });

  it('leaves a directory that is not its own as it is', async () => {
    const dataDir = directory();
    writeFileSync(join(dataDir, 'thesis.txt'), 'precious');
    const notOurs = await startPostgres({ dataDir }).catch((error: unknown) => error);
    expect(notOurs)
      .to.be.instanceOf(StartProblem)
      .with.property('message')
      .that.includes('not a Postgres data');
    writeFileSync(join(dataDir, 'PG_VERSION'), '9\n');
    const tooOld = await startPostgres({ dataDir }).catch((error: unknown) => error);
    expect(tooOld)
      .to.be.instanceOf(StartProblem)
      .with.property('message')
      .that.includes('written by Postgres 9');
    expect(existsSync(join(dataDir, 'thesis.txt'))).to.equal(true);
  });

  it('ends with its owner, even when that is killed', async () => {
    const owner = startOwner({});
    const { pid, home } = await firstLine(owner);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    while (existsSync(`/proc/${pid}/cmdline`) || existsSync(home)) await delay(20);
  });

  it('runs for an ordinary user whose home is closed to all others', async function () {
    const account = postgresAccount();
    if (!runsAsRoot() || account === undefined || !canReach(account, checkout)) this.skip();
    const home = join(directory(), 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, account.uid, account.gid);
    const owner = startOwner(
      { GLOVEBOX_STATE_DIR: join(home, 'state'), TMPDIR: home },
      { uid: account.uid, gid: account.gid },
    );
    const { home: dataHome } = await firstLine(owner);
    expect(dataHome.startsWith(home)).to.equal(true);
    owner.kill('SIGTERM');
    await once(owner, 'exit');
    while (existsSync(dataHome)) await delay(20);
  });

  it('finds out when its account could not pass a directory', async function () {
    const account = postgresAccount();
    if (account === undefined) this.skip();
    const closed = join(directory(), 'closed');
    mkdirSync(join(closed, 'inner'), { recursive: true });
    chmodSync(closed, 0o700);
    expect(canReach(account, join(closed, 'inner'))).to.equal(false);
    expect(canReach(account, tmpdir())).to.equal(true);
  });
});

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Another process that starts a private Postgres, tells about it and waits. */
function startOwner(env: Record<string, string>, account: { uid?: number; gid?: number } = {}): ChildProcess {
  const program = `
    import { dirname } from 'node:path';
    const { startPostgres } = await import(${JSON.stringify(siblingModule(import.meta.url, 'postgres'))});
    const postgres = await startPostgres({ ephemeral: true });
    console.log(JSON.stringify({ pid: postgres.child.pid, home: dirname(postgres.dataDir) }));
    process.once('SIGTERM', () => void postgres.stop());
  `;
  return spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    env: { PATH: process.env['PATH'], ...env },
    ...account,
  });
}

async function firstLine(child: ChildProcess): Promise<{ pid: number; home: string }> {
  const [line] = (await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    text(child.stdout as NodeJS.ReadableStream).then(() =>
      Promise.reject(new Error('it ended without a word')),
    ),
  ])) as [Buffer];
  return JSON.parse(line.toString()) as { pid: number; home: string };
}
