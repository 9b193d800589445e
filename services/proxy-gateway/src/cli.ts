import { configCheck, runCommands } from '@glovebox/platform/process/commands';

import { readConfig } from './config.ts';

process.exitCode = await runCommands(
  [configCheck('proxy-gateway', () => readConfig())],
  process.argv.slice(2),
);
