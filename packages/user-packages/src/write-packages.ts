import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const thisFile = fileURLToPath(import.meta.url);
const main = path.join(path.dirname(thisFile), `write-packages-main${path.extname(thisFile)}`);

/**
 * Bundles the packages of the list and writes `packages.pack` and `LICENSES.txt` into the folder. A process of its own does
 * this work of several seconds at low priority, and ends with this one.
 *
 * @throws Error, also when the signal aborts
 */
export async function writePackages(folder: string, signal?: AbortSignal): Promise<void> {
  const flags = thisFile.endsWith('.ts') ? ['--conditions=source'] : [];
  // esbuild needs a third less time when it frees memory less often.
  const options = { env: { GOGC: '400' }, ...(signal === undefined ? {} : { signal }) };
  await promisify(execFile)(process.execPath, [...flags, main, folder], options);
}
