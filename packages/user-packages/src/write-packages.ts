import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const thisFile = fileURLToPath(import.meta.url);
const main = path.join(path.dirname(thisFile), `write-packages-main${path.extname(thisFile)}`);

/**
 * Bundles what the list allows and writes `packages.pack` and `LICENSES.txt` into the folder; takes seconds. A process of its own,
 * which leaves the processor to others, does it.
 *
 * @throws Error
 */
export async function writePackages(folder: string): Promise<void> {
  const flags = thisFile.endsWith('.ts') ? ['--conditions=source'] : [];
  await promisify(execFile)(process.execPath, [...flags, main, folder], { env: {} });
}
