import { configCheck, runCommands } from '@glovebox/platform/process/commands';

import { createTenantCommand } from './cli/create-tenant.ts';
import { rebuildProjection } from './cli/rebuild-projection.ts';
import { readControlConfig } from './config.ts';

const commands = [
  createTenantCommand,
  rebuildProjection,
  configCheck('control-api', () => readControlConfig()),
];

process.exitCode = await runCommands(commands, process.argv.slice(2));
