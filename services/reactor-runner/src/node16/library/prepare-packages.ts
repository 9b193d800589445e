import { existsSync } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import path from 'node:path';

import { Pack, packFile } from '@glovebox/user-packages/pack';
import { packagesKey } from '@glovebox/user-packages/packages-key';
import { writePackages } from '@glovebox/user-packages/write-packages';

import { keepLatest } from './keep-latest.ts';
import { cacheFolder } from './prepared-folder.ts';

/**
 * Gives the file of the npm packages for user code. If the installed versions are not bundled yet, the file is empty and is
 * filled while workers have it open.
 *
 * @throws Error
 */
export async function openPackages(): Promise<{
  file: string;
  fill: (signal?: AbortSignal) => Promise<void>;
}> {
  const folder = path.join(cacheFolder, `packages-${packagesKey()}`);
  const file = path.join(folder, packFile);
  // An image that was made with them may be read-only.
  if (existsSync(file) && isWhole(file)) return { file, fill: () => Promise.resolve() };
  await mkdir(folder, { recursive: true });
  // The next start may be by another user.
  await chmod(folder, 0o755);
  await keepLatest(folder, 'packages-');
  await (await open(file, 'a')).close();
  return { file, fill: (signal) => writePackages(folder, signal) };
}

function isWhole(file: string): boolean {
  using pack = new Pack(file);
  return pack.isWhole;
}

/** The same, when all of it is there. @throws Error */
export async function preparePackages(): Promise<string> {
  const { file, fill } = await openPackages();
  await fill();
  return file;
}
