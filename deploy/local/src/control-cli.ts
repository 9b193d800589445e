import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { checkout } from './places.ts';
import { StartProblem } from './problem.ts';
import { type System, serviceEnvironments } from './service-env.ts';

/**
 * Runs control-api's command line in the running system.
 *
 * @returns what it printed on its standard output
 * @throws StartProblem with what it complained about
 */
export async function runControlCli(system: System, args: readonly string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', join(checkout, 'services/control-api/src/cli.ts'), ...args],
    { cwd: checkout, env: serviceEnvironments(system)['control-api'], stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) {
    process.stderr.write(complaint);
    return output;
  }
  throw new StartProblem(
    `control-api's command failed: ${complaint.trim() || `exit ${code}`}`,
    'Its log says more: .glovebox/logs/control-api.log.',
  );
}
