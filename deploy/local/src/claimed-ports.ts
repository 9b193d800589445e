import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { codeOf } from '@glovebox/platform/errors/code-of';

/** A process that claimed a port listens there by then, or never will. */
const claimedMs = 60_000;

/**
 * Claims a port for a listener of this process: false if another process of this account has claimed it within the
 * last minute. Two processes can find the same port free before either listens.
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
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
