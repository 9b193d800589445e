import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface FetchOptions {
  /** Folder of the packages. */
  readonly folder: string;
  /** Not made unless it is needed. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

const run = promisify(execFile);

/** Fetches a package, with the libraries that this machine lacks. @throws Error when that fails */
export async function fetchDebianPackages(
  name: string,
  { folder, scratch, signal }: FetchOptions,
): Promise<void> {
  try {
    await download(name, [], folder, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (existsSync('/var/lib/apt/lists') && (await readdir('/var/lib/apt/lists')).some(isPackageList))
      throw error;
    // A fresh container has no package lists, and an ordinary user may not fetch them: then this uses its own.
    const options = await privateLists(scratch);
    await run('apt-get', [...options, 'update'], { signal });
    await download(name, options, folder, signal);
  }
}

function isPackageList(name: string): boolean {
  return name.includes('_Packages');
}

async function download(
  name: string,
  options: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  const names = [name, ...(await missingLibraries(name, options, signal))];
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

/** A program loads only packages that it depends on through libraries, and finds its own parts beside itself. */
async function missingLibraries(
  name: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const [dependencies, present] = await Promise.all([
    dependenciesOf(name, options, signal),
    installed(signal),
  ]);
  const missing = new Set<string>();
  const look = (from: string) => {
    for (const library of dependencies.get(from) ?? []) {
      const isPart = library.startsWith(`${name}-`);
      const isMissing = isPart || (library.startsWith('lib') && !present.has(library));
      if (!isMissing || missing.has(library)) continue;
      missing.add(library);
      look(library);
    }
  };
  look(name);
  return [...missing];
}

/** By package; each is a line, and those that it depends on are indented below it. */
async function dependenciesOf(
  name: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  const without = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
    (kind) => `--no-${kind}`,
  );
  const { stdout } = await run('apt-cache', [...options, 'depends', '--recurse', ...without, name], {
    signal,
  });
  const dependencies = new Map<string, string[]>();
  let of: string[] = [];
  for (const line of stdout.split('\n')) {
    const dependency = /^ [ |](?:Pre)?Depends: ([a-z0-9][a-z0-9.+-]*)$/.exec(line)?.[1];
    if (dependency !== undefined) of.push(dependency);
    else if (/^[a-z0-9]/.test(line)) dependencies.set(line, (of = []));
  }
  return dependencies;
}

async function installed(signal: AbortSignal): Promise<Set<string | undefined>> {
  const { stdout } = await run('dpkg-query', ['-W', '-f', '${binary:Package} ${db:Status-Status}\n'], {
    signal,
  });
  const lines = stdout.split('\n').filter((line) => line.endsWith(' installed'));
  return new Set(lines.map((line) => line.split(/[: ]/)[0]));
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
