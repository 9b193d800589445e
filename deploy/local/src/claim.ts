import { removeDevFile } from './dev-file.ts';
import { acquireInstanceLock } from './instance-lock.ts';
import { createStateDirectory } from './places.ts';
import { whyNot } from './ports.ts';
import { StartProblem } from './problem.ts';
import { endLeftovers, readRunning } from './run-journal.ts';
import type { StartOptions } from './start-options.ts';

/** Ensures that this is the only system of its state directory, and that nothing of an earlier one is left. */
export async function claim(options: StartOptions): Promise<Disposable> {
  try {
    createStateDirectory(options.stateDir);
  } catch (error) {
    throw new StartProblem(
      `${options.stateDir} can't be created: ${error instanceof Error ? error.message : String(error)}`,
      'Run as the user who owns the checkout, or set GLOVEBOX_STATE_DIR to a directory of yours.',
    );
  }
  const lock = await acquireInstanceLock(options.stateDir);
  if (lock === undefined) {
    const pid = readRunning(options.stateDir)?.supervisor.pid;
    throw new StartProblem(
      `it runs already from this checkout${pid === undefined ? '' : ` (pid ${pid})`}`,
      'Stop that one with Ctrl-C in its terminal, or use it: its address is in .glovebox/dev.json.',
    );
  }
  await endLeftovers(options.stateDir);
  removeDevFile(options.stateDir);
  return lock;
}

/** @throws StartProblem when the public address can't be had */
export async function requirePublicPort({ port, hosts }: StartOptions): Promise<void> {
  for (const host of hosts) {
    const reason = await whyNot(port, host);
    if (reason === undefined) continue;
    if (reason === 'EADDRINUSE') {
      throw new StartProblem(
        `port ${port} on ${host} is taken by another program`,
        `Choose another one: PORT=${port + 1} npm start`,
      );
    }
    // Machines without IPv6 only have the other loopback address.
    if (host === '::1') continue;
    throw new StartProblem(
      `it can't listen on port ${port} of ${host} (${reason})`,
      'Choose another PORT (above 1023 unless you are root), or another HOST.',
    );
  }
}
