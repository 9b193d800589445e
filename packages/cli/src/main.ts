import { commands } from './commands/all.ts';
import { runCommands } from './commands/run-commands.ts';

process.exitCode = await runCommands(commands, process.argv.slice(2), process.env);
