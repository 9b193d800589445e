import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Besides the one in use: runners of this version and of those before may be started from one checkout. */
const kept = 2;

/**
 * Removes the oldest of the folders whose names start with `prefix`, but for the one that is used now: each took its place
 * when what it is made of changed.
 */
export async function keepLatest(used: string, prefix: string): Promise<void> {
  const parent = path.dirname(used);
  const others = (await readdir(parent)).filter(
    (name) => name.startsWith(prefix) && name !== path.basename(used),
  );
  const folders = await Promise.all(
    others.map(async (name) => {
      const folder = path.join(parent, name);
      // Another process may remove the same ones.
      const found = await stat(folder).catch(() => undefined);
      return { folder, changedAt: found?.mtimeMs ?? 0 };
    }),
  );
  const oldest = folders.toSorted((a, b) => b.changedAt - a.changedAt).slice(kept);
  await Promise.all(oldest.map(({ folder }) => rm(folder, { recursive: true, force: true })));
}
