import { configCheck, runCommands } from '@glovebox/platform/process/commands';

import { readConfig } from './config.ts';

process.exitCode = await runCommands(
  [configCheck('reactor-runner', () => readConfig())],
  process.argv.slice(2),
);
