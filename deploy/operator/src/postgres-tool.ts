import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { CommandError, exitCodes } from '@glovebox/platform/process/commands';
import type { Secret } from '@glovebox/platform/values/secret';

export interface ToolRun {
  readonly tool: 'pg_dump' | 'pg_restore';
  readonly database: Secret<string>;
  readonly args: readonly string[];
  /** Ends the program before its time. */
  readonly signal: AbortSignal;
}

/**
 * Runs one of PostgreSQL's own programs, found by PATH, on a database. The password is in its environment, not among its
 * arguments, which everyone on the machine can read.
 *
 * @throws CommandError when there is no such program, or it fails
 */
export async function runPostgresTool({ tool, database, args, signal }: ToolRun): Promise<void> {
  const url = new URL(database.reveal());
  const password = decodeURIComponent(url.password);
  url.password = '';
  const child = spawn(tool, ['--dbname', url.href, '--no-password', ...args], {
    env: { PATH: process.env['PATH'], PGPASSWORD: password, PGCONNECT_TIMEOUT: '10', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [complaint, code] = await Promise.all([text(child.stderr), closed]);
  if (code === 0) return;
  if (signal.aborted) throw stopped();
  if (failure !== undefined) throw missing(tool);
  const advice = complaint.includes('server version mismatch')
    ? "PATH needs the programs of the server's major version or a later one."
    : `It was run on the database ${url.pathname.slice(1)}.`;
  throw new CommandError(exitCodes.unavailable, `${tool} failed: ${complaint.trim()}\n${advice}`);
}

function stopped(): CommandError {
  return new CommandError(exitCodes.temporary, 'stopped before it was done');
}

function missing(tool: string): CommandError {
  const advice = "Install PostgreSQL's client programs, of the server's major version or a later one.";
  return new CommandError(exitCodes.unavailable, `${tool} is not on the PATH\n${advice}`);
}
