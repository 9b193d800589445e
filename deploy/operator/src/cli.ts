import { runCommands } from '@glovebox/platform/process/commands';

import { operatorCommands } from './commands.ts';

// As the first process of a container it must handle signals itself, and remove incomplete files.
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

process.exitCode = await runCommands(operatorCommands(stop.signal), process.argv.slice(2));
