import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const lookMs = 200;
/** No work takes this long: the process that left the file is gone, and another may have its id. */
const longestMs = 5 * 60_000;

/**
 * Does the work, unless another process is doing it; then it waits until that process has ended or the work is done. The
 * file names the process.
 */
export async function alone(file: string, isDone: () => boolean, work: () => Promise<void>): Promise<void> {
  while (!isDone()) {
    if (await take(file)) {
      try {
        return await work();
      } finally {
        await rm(file, { force: true });
      }
    }
    if (await isLeftBehind(file)) await rm(file, { force: true });
    else await delay(lookMs);
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await using handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isLeftBehind(file: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file);
    const pid = Number(await readFile(file, 'utf8'));
    return Date.now() - mtimeMs > longestMs || (pid > 0 && !isRunning(pid));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
