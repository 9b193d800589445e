/** `npm run glovebox -- COMMAND`: the operator's commands in the running system. */
import { findTargets, usage } from './commands.ts';
import { StartProblem } from './problem.ts';
import { runningSystem } from './running-system.ts';
import { runServiceCli } from './service-cli.ts';

const args = process.argv.slice(2);

/** Codes of sysexits.h. */
const exit = { usage: 64, unavailable: 69 } as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const targets = findTargets(args);
  if (targets === undefined) {
    const asked = args.includes('--help');
    (asked ? process.stdout : process.stderr).write(usage);
    return asked ? 0 : exit.usage;
  }
  try {
    const help = args.includes('--help');
    const system = help ? undefined : runningSystem();
    let code = 0;
    for (const service of help ? targets.slice(0, 1) : targets) {
      code = Math.max(code, await runServiceCli(system, service, args));
    }
    return code;
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    process.stderr.write(`${error.message}\n${error.advice}\n`);
    return exit.unavailable;
  }
}
