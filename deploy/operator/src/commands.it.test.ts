import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

const cli = fileURLToPath(new URL('cli.ts', import.meta.url));
const urls = {
  CONTROL_DATABASE_URL: 'postgres://control:of-control@127.0.0.1:1/control',
  VAULT_DATABASE_URL: 'postgres://vault:of-vault@127.0.0.1:1/vault',
};

/** What is started in place of pg_dump, which a test cannot hold up: begins a file, and waits to be ended. */
const slowDump = `#!${process.execPath}
require('node:fs').writeFileSync(process.argv[process.argv.indexOf('--file') + 1], 'half');
setInterval(() => {}, 1000);
`;

describe("the operator's command line", () => {
  let stack: AsyncDisposableStack;
  let folder: string;

  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'glovebox-operator-'))).path;
  });
  afterEach(() => stack.disposeAsync());

  const start = (args: readonly string[], env: Record<string, string>): ChildProcess =>
    spawn(process.execPath, ['--conditions=source', cli, ...args], { env, stdio: 'pipe' });
  const endOf = async (child: ChildProcess) => {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close'),
    ]);
    return { code: code as number | null, stdout, stderr };
  };
  const run = (args: readonly string[], env: Record<string, string> = {}) => endOf(start(args, env));

  it('says how it is used when it is used in another way', async () => {
    for (const args of [
      [],
      ['backup'],
      ['restore', 'a', 'b'],
      ['backup', folder, '--keep', '3'],
      ['backup', folder, '--dated', '--keep', '0'],
      ['backup', folder, '--dated', '--keep', 'all'],
    ]) {
      const { code, stdout, stderr } = await run(args, urls);
      expect([code, stdout], args.join(' ')).to.deep.equal([64, '']);
      expect(stderr).to.include('usage: ');
    }
    expect(await readdir(folder)).to.deep.equal([]);
    expect((await run(['--help'])).stdout).to.include('restore DIRECTORY');
  });

  it('names all settings that are missing or wrong at once, and repeats no password', async () => {
    const { code, stderr } = await run(['backup', join(folder, 'one')], {
      VAULT_DATABASE_URL: 'mysql://vault:of-vault@db/vault',
    });
    expect(code).to.equal(78);
    expect(stderr).to.include('CONTROL_DATABASE_URL is required');
    expect(stderr).to.include('VAULT_DATABASE_URL must be a URL that starts with postgres://');
    expect(stderr).to.not.include('of-vault');
  });

  it('lists backups that are whole', async () => {
    for (const name of ['2026-11-21T021700Z', '2026-11-20T021700Z', '2026-11-22T021700Z']) {
      await mkdir(join(folder, name));
      if (!name.includes('22T')) await writeFile(join(folder, name, 'manifest.json'), '{}');
    }
    const backups = ['2026-11-20T021700Z', '2026-11-21T021700Z'].map((name) => join(folder, name));
    expect(JSON.parse((await run(['backups', folder])).stdout)).to.deep.equal({ backups });
    const missing = await run(['backups', join(folder, 'nowhere')]);
    expect([missing.code, missing.stderr]).to.deep.equal([69, `${folder}/nowhere cannot be read (ENOENT)\n`]);
  });

  it('leaves nothing behind when a backup fails or is ended, e.g. by the deadline of its Job', async () => {
    const failed = await run(['backup', folder, '--dated'], { ...urls, PATH: '/nowhere' });
    expect([failed.code, failed.stderr.split('\n')[0]]).to.deep.equal([69, 'pg_dump is not on the PATH']);
    expect(await readdir(folder)).to.deep.equal([]);

    const programs = stack.use(await mkdtempDisposable(join(tmpdir(), 'glovebox-programs-'))).path;
    await writeFile(join(programs, 'pg_dump'), slowDump);
    await chmod(join(programs, 'pg_dump'), 0o755);
    const child = start(['backup', folder, '--dated'], { ...urls, PATH: programs });
    const ended = endOf(child);
    await untilThere(folder, 'control.dump');
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect([code, stderr]).to.deep.equal([75, 'stopped before it was done\n']);
    expect(await readdir(folder)).to.deep.equal([]);
  });
});

async function untilThere(folder: string, file: string): Promise<void> {
  for (;;) {
    if ((await readdir(folder, { recursive: true })).some((path) => path.endsWith(file))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
