import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { Program } from './commands.ts';
import { checkout } from './places.ts';
import { StartProblem } from './problem.ts';
import { type Environment, type System, serviceEnvironments } from './service-env.ts';

/**
 * Runs a command line with this process's input and output.
 * @param environment all of it; an empty one is enough for the usage
 * @returns its exit code
 */
export async function runProgram(
  program: Program,
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  const child = spawn(process.execPath, nodeArguments(program, args), { env: environment, stdio: 'inherit' });
  return (await ended(child)) ?? 1;
}

/**
 * Runs control-api's command line in the running system.
 *
 * @returns what it printed on its standard output
 * @throws StartProblem with what it complained about
 */
export async function runControlCli(system: System, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, nodeArguments('control-api', args), {
    cwd: checkout,
    env: serviceEnvironments(system)['control-api'],
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)]);
  if (code === 0) {
    process.stderr.write(complaint);
    return output;
  }
  throw new StartProblem(
    `control-api's command failed: ${complaint.trim() || `exit ${code}`}`,
    'Its log says more: .glovebox/logs/control-api.log.',
  );
}

function nodeArguments(program: Program, args: readonly string[]): string[] {
  const folder = program === 'operator' ? 'deploy/operator' : `services/${program}`;
  return ['--conditions=source', join(checkout, folder, 'src/cli.ts'), ...args];
}

function ended(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
