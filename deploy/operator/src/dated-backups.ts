import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { manifestFile } from './manifest.ts';

const named = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const dayMs = 24 * 60 * 60_000;

/** `2026-11-21T021700Z`: in the order of their names they are in the order of time. */
export function nameFor(time: Date): string {
  return time.toISOString().replaceAll(/\.\d+|:/g, '');
}

/** The names of the backups in a folder that are whole, oldest first. */
export async function wholeBackups(folder: string): Promise<string[]> {
  const found = await datedFolders(folder);
  return found.filter(({ whole }) => whole).map(({ name }) => name);
}

/**
 * Removes all but the newest `keep` backups of a folder, and what was begun more than a day before `now` and never became
 * one. Anything that is not named like a backup stays.
 *
 * @returns the names of what was removed
 */
export async function removeOldBackups(folder: string, keep: number, now: Date): Promise<string[]> {
  const found = await datedFolders(folder);
  const kept = new Set(found.filter(({ whole }) => whole).slice(-keep));
  const old = found
    .filter((one) => (one.whole ? !kept.has(one) : now.getTime() - timeOf(one.name) > dayMs))
    .map(({ name }) => name);
  for (const name of old) {
    // First, so that what is half removed is no backup any more.
    await rm(join(folder, name, manifestFile), { force: true });
    await rm(join(folder, name), { recursive: true });
  }
  return old;
}

async function datedFolders(folder: string): Promise<{ name: string; whole: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && named.test(entry.name))
    .map(({ name }) => name);
  return await Promise.all(
    names.toSorted().map(async (name) => ({
      name,
      whole: await access(join(folder, name, manifestFile)).then(
        () => true,
        () => false,
      ),
    })),
  );
}

function timeOf(name: string): number {
  return Date.parse(name.replace(named, '$1T$2:$3:$4Z'));
}
