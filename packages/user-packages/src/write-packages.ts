import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const thisFile = fileURLToPath(import.meta.url);
const main = path.join(path.dirname(thisFile), `write-packages-main${path.extname(thisFile)}`);

/**
 * Bundles what the list allows and writes `packages.pack` and `LICENSES.txt` into the folder. That takes several
 * seconds of work, which a process of its own does; it leaves the processor to others, and ends with this one.
 *
 * @throws Error, also when the signal aborts.
 */
export async function writePackages(folder: string, signal?: AbortSignal): Promise<void> {
  const flags = thisFile.endsWith('.ts') ? ['--conditions=source'] : [];
  // esbuild is done in two thirds of the time when it frees its memory less often.
  const options = { env: { GOGC: '400' }, ...(signal === undefined ? {} : { signal }) };
  await promisify(execFile)(process.execPath, [...flags, main, folder], options);
}
