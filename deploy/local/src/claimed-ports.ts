import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whoever claimed a port listens there by then, or never will. */
const claimedMs = 60_000;

/**
 * Whether the port is now this process's to hand to a listener: no other process of this account has claimed it
 * within the last minute. A port can be found free by two processes before either of their listeners starts.
 */
export function claimPort(port: number): boolean {
  const folder = join(tmpdir(), `glovebox-ports-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const claim = join(folder, String(port));
  const claimedAt = statSync(claim, { throwIfNoEntry: false })?.mtimeMs;
  if (claimedAt !== undefined && Date.now() - claimedAt < claimedMs) return false;
  rmSync(claim, { force: true });
  try {
    closeSync(openSync(claim, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
