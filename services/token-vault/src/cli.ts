import { configCheck, runCommands } from '@glovebox/platform/process/commands';

import { listKeys } from './cli/list-keys.ts';
import { rewrapKeysCommand } from './cli/rewrap-keys.ts';
import { rotateKeysCommand } from './cli/rotate-keys.ts';
import { verifyAuditCommand } from './cli/verify-audit.ts';
import { readConfig } from './config.ts';
import { openKeys } from './keys/services/open-keys.ts';

const commands = [
  listKeys,
  rotateKeysCommand,
  rewrapKeysCommand,
  verifyAuditCommand,
  configCheck('token-vault', () => openKeys(readConfig().keys)),
];

process.exitCode = await runCommands(commands, process.argv.slice(2));
