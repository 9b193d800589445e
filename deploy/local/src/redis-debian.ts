import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A program that speaks Redis's protocol and reads Redis's configuration file. */
export interface RedisServer {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** For the terminal. */
  readonly source: string;
}

const run = promisify(execFile);

/**
 * Debian's own Redis without installing it: the packages are fetched with apt-get, which checks their signatures,
 * and unpacked into a folder. Needs no root. The second time it is found in the folder.
 *
 * @returns undefined where that is impossible: no apt-get, no network; or when the signal came first
 */
export async function debianRedis(cacheDir: string, signal: AbortSignal): Promise<RedisServer | undefined> {
  const target = join(cacheDir, `redis-debian-${process.arch}`);
  if (!existsSync(target) && !(await unpackRedis(target, signal))) return undefined;
  const command = join(target, 'usr/bin/redis-server');
  const libraries = (await readdir(join(target, 'usr/lib')).catch(() => []))
    .filter((name) => name.includes('-linux-gnu'))
    .map((name) => join(target, 'usr/lib', name));
  const server = {
    command,
    env: { LD_LIBRARY_PATH: libraries.join(':') },
    source: "Debian's package, unpacked",
  };
  const works = await run(command, ['--version'], { env: server.env }).then(
    () => true,
    () => false,
  );
  if (works) return server;
  // Of another machine or release: it is fetched again next time.
  await rm(target, { recursive: true, force: true });
  return undefined;
}

async function unpackRedis(target: string, signal: AbortSignal): Promise<boolean> {
  const draft = `${target}.${process.pid}`;
  try {
    await access('/usr/bin/apt-get', constants.X_OK);
    await mkdir(join(draft, 'debs'), { recursive: true });
    await fetchPackages(draft, signal);
    for (const name of await readdir(join(draft, 'debs'))) {
      await run('dpkg', ['-x', join(draft, 'debs', name), draft], { signal });
    }
    // The server is the same program under another name; the package that holds the name needs an init system.
    const server = join(draft, 'usr/bin/redis-server');
    if (!existsSync(server)) await symlink('redis-check-rdb', server);
    await rm(join(draft, 'debs'), { recursive: true });
    await rm(join(draft, 'apt'), { recursive: true, force: true });
    await rename(draft, target);
    return true;
  } catch {
    await rm(draft, { recursive: true, force: true });
    return existsSync(target);
  }
}

async function fetchPackages(draft: string, signal: AbortSignal): Promise<void> {
  const cwd = join(draft, 'debs');
  try {
    await download([], cwd, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (existsSync('/var/lib/apt/lists') && (await readdir('/var/lib/apt/lists')).some(isPackageList))
      throw error;
    // A fresh container has no package lists, and an ordinary user may not fetch them: a private set then.
    const options = await privateLists(join(draft, 'apt'));
    await run('apt-get', [...options, 'update'], { signal });
    await download(options, cwd, signal);
  }
}

function isPackageList(name: string): boolean {
  return name.includes('_Packages');
}

async function download(options: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
  const names = await missingPackages(options, signal);
  await run('apt-get', [...options, ...patience, 'download', ...names], { cwd, signal });
}

const patience = [
  '-o',
  'Acquire::Retries=0',
  '-o',
  'Acquire::http::Timeout=5',
  '-o',
  'Acquire::https::Timeout=5',
];

/** redis-tools holds the server's program. With it come the libraries that this machine lacks. */
async function missingPackages(options: readonly string[], signal: AbortSignal): Promise<string[]> {
  const without = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
    (kind) => `--no-${kind}`,
  );
  const depends = await run('apt-cache', [...options, 'depends', '--recurse', ...without, 'redis-tools'], {
    signal,
  });
  const needed = depends.stdout.split('\n').filter((line) => /^[a-z0-9][a-z0-9.+-]*$/.test(line));
  const installed = await run('dpkg-query', ['-W', '-f', '${binary:Package} ${db:Status-Status}\n'], {
    signal,
  });
  const present = new Set(
    installed.stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(/[: ]/)[0]),
  );
  return needed.filter((name) => name === 'redis-tools' || (name.startsWith('lib') && !present.has(name)));
}

async function privateLists(directory: string): Promise<string[]> {
  const state = join(directory, 'state');
  const cache = join(directory, 'cache');
  await mkdir(join(state, 'lists/partial'), { recursive: true });
  await mkdir(join(cache, 'archives/partial'), { recursive: true });
  const settings = [
    `Dir::State=${state}`,
    `Dir::State::status=/var/lib/dpkg/status`,
    `Dir::Cache=${cache}`,
    'Acquire::Languages=none',
  ];
  return [...settings.flatMap((setting) => ['-o', setting]), ...patience];
}
