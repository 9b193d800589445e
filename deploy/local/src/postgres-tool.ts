import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { StartProblem } from './problem.ts';

/**
 * Runs one of PostgreSQL's own programs, found by PATH, on a database. The password is in its environment, not among its
 * arguments, which everyone on the machine can read.
 *
 * @throws StartProblem when there is no such program, or it fails
 */
export async function runPostgresTool(
  tool: 'pg_dump' | 'pg_restore',
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const child = spawn(tool, ['--dbname', url.href, '--no-password', ...args], {
    env: { PATH: process.env['PATH'], PGPASSWORD: password, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [complaint, code] = await Promise.all([
    text(child.stderr),
    ended.catch((cause: unknown) => {
      throw new StartProblem(
        `${tool} is not on the PATH`,
        "Install PostgreSQL's client programs, of the server's major version or a later one.",
        { cause },
      );
    }),
  ]);
  if (code === 0) return;
  const advice = complaint.includes('server version mismatch')
    ? "PATH needs the programs of the server's major version or a later one."
    : `It was run on the database ${url.pathname.slice(1)}.`;
  throw new StartProblem(`${tool} failed: ${complaint.trim()}`, advice);
}
