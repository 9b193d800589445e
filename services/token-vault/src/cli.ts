import { configCheck, runCommands } from '@glovebox/platform/process/commands';

import { beginIntegrity, integrityStatus } from './cli/integrity.ts';
import { listErasuresCommand } from './cli/list-erasures.ts';
import { listKeys } from './cli/list-keys.ts';
import { openStore } from './cli/open-store.ts';
import { rewrapKeysCommand } from './cli/rewrap-keys.ts';
import { rotateAuditKeyCommand } from './cli/rotate-audit-key.ts';
import { rotateIndexCommand } from './cli/rotate-index.ts';
import { rotateKeysCommand } from './cli/rotate-keys.ts';
import { sealVault, unsealVault, vaultStatus } from './cli/seal-vault.ts';
import { verifyAuditCommand } from './cli/verify-audit.ts';
import { verifyErasureCommand } from './cli/verify-erasure.ts';
import { verifyExportCommand } from './cli/verify-export.ts';
import { readConfig, readStoreConfig } from './config.ts';
import { openKeys } from './keys/services/open-keys.ts';

const openOwnStore = () => {
  const { keys, ...roles } = readStoreConfig();
  return openStore(roles, keys);
};

const commands = [
  listKeys(openOwnStore),
  rotateKeysCommand(openOwnStore),
  rotateIndexCommand(openOwnStore),
  rewrapKeysCommand(openOwnStore),
  sealVault(openOwnStore),
  unsealVault(openOwnStore),
  vaultStatus(openOwnStore),
  integrityStatus(openOwnStore),
  beginIntegrity(openOwnStore),
  verifyAuditCommand(openOwnStore),
  verifyExportCommand,
  rotateAuditKeyCommand(openOwnStore),
  listErasuresCommand(openOwnStore),
  verifyErasureCommand,
  configCheck('token-vault', () => openKeys(readConfig().keys)),
];

process.exitCode = await runCommands(commands, process.argv.slice(2));
