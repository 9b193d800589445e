/** `npm run glovebox -- tenant create NAME`: the operator's commands in the running system. */
import { runControlCli } from './control-cli.ts';
import { StartProblem } from './problem.ts';
import { runTool, runningSystem } from './running-system.ts';

const args = process.argv.slice(2);

await runTool(async () => {
  const [resource, operation, name, ...more] = args;
  if (resource !== 'tenant' || operation !== 'create' || name === undefined || more.length > 0) {
    throw new StartProblem('unknown command', 'Usage: npm run glovebox -- tenant create NAME');
  }
  return await runControlCli(runningSystem(), args);
});
