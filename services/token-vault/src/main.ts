import { runService } from '@glovebox/platform/process/lifecycle';

import { readConfig } from './config.ts';

// All else is loaded once the settings are right: what is wrong with them is told at once.
await runService('token-vault', readConfig, async (config, stopping) => {
  const { createVault } = await import('./vault.ts');
  return await createVault(config, undefined, stopping);
});
