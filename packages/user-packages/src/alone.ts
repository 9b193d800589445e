import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const lookMs = 200;
/** Nobody takes so long: whoever has left the file behind is gone, and another process may have its number. */
const longestMs = 5 * 60_000;

/**
 * Does the work unless another process is at it, and then waits until that one has ended or it is done. The file says
 * who is at it.
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isLeftBehind(file: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file);
    const pid = Number(await readFile(file, 'utf8'));
    return Date.now() - mtimeMs > longestMs || (pid > 0 && !isRunning(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
