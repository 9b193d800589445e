import type { DatabaseUrls } from './backup-manifest.ts';
/** `npm run glovebox -- COMMAND`: the operator's commands in the running system. */
import { backUp, restore } from './backup.ts';
import { findTargets, ownCommands, usage } from './commands.ts';
import { StartProblem } from './problem.ts';
import { runningSystem } from './running-system.ts';
import { runServiceCli } from './service-cli.ts';
import type { ServiceName } from './service-names.ts';

const args = process.argv.slice(2);

/** Codes of sysexits.h. */
const exit = { usage: 64, unavailable: 69 } as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const [word, directory, ...more] = args;
  const own = ownCommands.find((command) => command === word);
  const targets = findTargets(args);
  const asked = args.includes('--help');
  const known = targets !== undefined || (own !== undefined && directory !== undefined && more.length === 0);
  if (!known || (own !== undefined && asked)) {
    (asked ? process.stdout : process.stderr).write(usage);
    return asked ? 0 : exit.usage;
  }
  try {
    if (own !== undefined) return await runOwn(own, directory as string);
    return await askServices(targets ?? [], asked);
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    process.stderr.write(`${error.message}\n${error.advice}\n`);
    return exit.unavailable;
  }
}

async function askServices(services: readonly ServiceName[], forHelp: boolean): Promise<number> {
  const system = forHelp ? undefined : runningSystem();
  let code = 0;
  for (const service of forHelp ? services.slice(0, 1) : services) {
    code = Math.max(code, await runServiceCli(system, service, args));
  }
  return code;
}

async function runOwn(command: (typeof ownCommands)[number], directory: string): Promise<number> {
  const given = givenDatabases(process.env);
  const manifest =
    command === 'backup'
      ? await backUp(given ?? runningSystem().databases, directory)
      : await restore(given ?? noDatabases(), directory);
  process.stdout.write(`${JSON.stringify(manifest)}\n`);
  return 0;
}

/** Other databases than those of the running system. */
function givenDatabases(env: NodeJS.ProcessEnv): DatabaseUrls | undefined {
  const { CONTROL_DATABASE_URL: control, VAULT_DATABASE_URL: vault } = env;
  if (!control || !vault) return undefined;
  if (!URL.canParse(control) || !URL.canParse(vault)) {
    throw new StartProblem(
      'CONTROL_DATABASE_URL and VAULT_DATABASE_URL must be URLs',
      'E.g. postgres://user:password@host/database.',
    );
  }
  return { control, vault };
}

function noDatabases(): never {
  throw new StartProblem(
    'it is not said into which databases to restore',
    'Set CONTROL_DATABASE_URL and VAULT_DATABASE_URL to two that are empty.',
  );
}
