/** `npm run glovebox -- COMMAND`: the operator's commands in the running system. */
import { type Program, findCommand, usage } from './commands.ts';
import { StartProblem } from './problem.ts';
import { runningSystem } from './running-system.ts';
import { runProgram } from './service-cli.ts';
import { type Environment, serviceEnvironments } from './service-env.ts';

const args = process.argv.slice(2);

/** Codes of sysexits.h. */
const exit = { usage: 64, unavailable: 69 } as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const command = findCommand(args);
  const asked = args.includes('--help');
  if (command === undefined) {
    (asked ? process.stdout : process.stderr).write(usage);
    return asked ? 0 : exit.usage;
  }
  const { programs, needsNothing } = command;
  try {
    let code = 0;
    for (const program of asked ? programs.slice(0, 1) : programs) {
      const environment = asked || needsNothing === true ? {} : environmentOf(program);
      code = Math.max(code, await runProgram(program, args, environment));
    }
    return code;
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    process.stderr.write(`${error.message}\n${error.advice}\n`);
    return exit.unavailable;
  }
}

/** The user names the databases of a restore: never those of the running system. */
function environmentOf(program: Program): Environment {
  if (program !== 'operator') return serviceEnvironments(runningSystem())[program];
  const { PATH = '', CONTROL_DATABASE_URL = '', VAULT_DATABASE_URL = '' } = process.env;
  if (args[0] === 'backup' && CONTROL_DATABASE_URL === '' && VAULT_DATABASE_URL === '') {
    const { databases, migrationDatabases } = runningSystem();
    const { control, vault } = migrationDatabases ?? databases;
    return { PATH, CONTROL_DATABASE_URL: control, VAULT_DATABASE_URL: vault };
  }
  return { PATH, CONTROL_DATABASE_URL, VAULT_DATABASE_URL };
}
