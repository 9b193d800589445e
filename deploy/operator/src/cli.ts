import { runCommands } from '@glovebox/platform/process/commands';

import { operatorCommands } from './commands.ts';

// As the first process of a container it has to end by itself, and what is half written is to be removed.
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

process.exitCode = await runCommands(operatorCommands(stop.signal), process.argv.slice(2));
