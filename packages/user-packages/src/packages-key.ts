import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { lockFile } from './installed.ts';

const sdk = path.dirname(fileURLToPath(import.meta.resolve('@glovebox/sdk/glovebox')));
const here = path.dirname(fileURLToPath(import.meta.url));

/** Changes with everything that can change the bundles: the list, the installed packages, and this project's own code. */
export function packagesKey(): string {
  const hash = createHash('sha256').update(readFileSync(lockFile()));
  for (const folder of [here, sdk]) {
    const files = globSync('**/*.{ts,js}', { cwd: folder }).filter((file) => !file.includes('.test.'));
    for (const file of files.toSorted()) hash.update(file).update(readFileSync(path.join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
