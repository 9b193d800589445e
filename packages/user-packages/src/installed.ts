import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The folder of an installed package, as Node.js resolves it from here. @throws Error */
export function folderOf(name: string): string {
  return path.join(findAbove(`node_modules/${name}/package.json`), '..');
}

/** The lock file of the installation. @throws Error */
export function lockFile(): string {
  return findAbove('package-lock.json');
}

function findAbove(wanted: string): string {
  for (let folder = here; ; folder = path.dirname(folder)) {
    const file = path.join(folder, wanted);
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) throw new Error(`${wanted} is neither in ${here} nor above it`);
  }
}

/** The folder of the npm package that a file belongs to; undefined for a file of this project. */
export function packageFolderOf(file: string): string[] {
  const match = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file);
  return match === null ? [] : [match[0]];
}
