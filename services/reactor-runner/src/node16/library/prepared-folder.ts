import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What is made once and kept; git knows nothing of it. */
export const cacheFolder = fileURLToPath(new URL('../../../.glovebox/', import.meta.url));

/** The folder of that name, which `write` fills unless it was filled before. It appears whole or not at all. */
export async function preparedFolder(name: string, write: (draft: string) => Promise<void>): Promise<string> {
  const folder = path.join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const draft = await mkdtemp(path.join(cacheFolder, 'draft-'));
  try {
    await write(draft);
    // The next start may be by another user.
    await chmod(draft, 0o755);
    // Another process may have been faster, with the same contents.
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
