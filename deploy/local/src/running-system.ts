import { stateDirectory } from './places.ts';
import { StartProblem } from './problem.ts';
import { readRunning } from './run-journal.ts';
import type { System } from './service-env.ts';

/**
 * The system that `npm start` runs from this checkout at the moment.
 *
 * @throws StartProblem when none does, or it isn't ready yet
 */
export function runningSystem(): System {
  const journal = readRunning(stateDirectory());
  if (journal === undefined) {
    throw new StartProblem(
      'Glovebox is not running from this checkout',
      'Run `npm start` in another terminal first.',
    );
  }
  if (journal.system === undefined) {
    throw new StartProblem(
      'Glovebox is still starting',
      'Try again when its terminal says that it is ready.',
    );
  }
  return journal.system;
}

/** Runs a tool: its result goes to standard output, problems to standard error. */
export async function runTool(run: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(await run());
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    process.stderr.write(`${error.message}\n${error.advice}\n`);
    process.exitCode = 1;
  }
}
