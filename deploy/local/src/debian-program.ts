import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { fetchDebianPackages } from './debian-packages.ts';

/** A program that can be run on this machine. */
export interface Program {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** For the terminal. */
  readonly source: string;
}

export interface DebianProgram {
  /** Of the folder that it is unpacked into, e.g. `redis`. */
  readonly name: string;
  /** The package that holds it. */
  readonly package: string;
  /** In the package, e.g. `usr/bin/redis-server`. */
  readonly path: string;
  /** Prints its version and exits, e.g. `--version`. */
  readonly versionOption: string;
  /** Changes the unpacked files before their use. */
  prepare?(folder: string): Promise<void>;
}

const run = promisify(execFile);

/**
 * A Debian program without installing it: apt-get fetches the packages and checks their signatures, and they are
 * unpacked into a folder, where they are found the second time. Needs no root.
 * @returns undefined where that is impossible: no apt-get, no network, or aborted by the signal
 */
export async function debianProgram(
  program: DebianProgram,
  cacheDir: string,
  signal: AbortSignal,
): Promise<Program | undefined> {
  const target = join(cacheDir, `${program.name}-debian-${process.arch}`);
  if (!existsSync(target) && !(await unpack(program, target, signal))) return undefined;
  const unpacked = {
    command: join(target, program.path),
    env: { LD_LIBRARY_PATH: (await libraryFolders(target)).join(':') },
    source: "Debian's package, unpacked",
  };
  const works = await run(unpacked.command, [program.versionOption], { env: unpacked.env }).then(
    () => true,
    () => false,
  );
  if (works) return unpacked;
  // From another machine or release: fetch it again.
  await rm(target, { recursive: true, force: true });
  return undefined;
}

/** The first of these that is on PATH. */
export async function programOnPath(names: readonly string[]): Promise<Program | undefined> {
  const directories = (process.env['PATH'] ?? '').split(':').filter((path) => path.startsWith('/'));
  for (const name of names) {
    for (const directory of directories) {
      const command = join(directory, name);
      const runnable = await access(command, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runnable) return { command, env: {}, source: 'of this machine' };
    }
  }
  return undefined;
}

async function unpack(program: DebianProgram, target: string, signal: AbortSignal): Promise<boolean> {
  const draft = `${target}.${process.pid}`;
  try {
    await access('/usr/bin/apt-get', constants.X_OK);
    const debs = join(draft, 'debs');
    await mkdir(debs, { recursive: true });
    await fetchDebianPackages(program.package, { folder: debs, scratch: join(draft, 'apt'), signal });
    for (const name of await readdir(debs)) await run('dpkg', ['-x', join(debs, name), draft], { signal });
    await program.prepare?.(draft);
    await rm(debs, { recursive: true });
    await rm(join(draft, 'apt'), { recursive: true, force: true });
    await rename(draft, target);
    return true;
  } catch {
    await rm(draft, { recursive: true, force: true });
    return existsSync(target);
  }
}

async function libraryFolders(root: string): Promise<string[]> {
  const parents = ['usr/lib', 'lib'].map((parent) => join(root, parent));
  const found = parents.map(async (parent) =>
    (await readdir(parent).catch(() => []))
      .filter((name) => name.includes('-linux-gnu'))
      .map((name) => join(parent, name)),
  );
  return (await Promise.all(found)).flat();
}
