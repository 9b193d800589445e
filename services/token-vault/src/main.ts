import { runService } from '@glovebox/platform/process/lifecycle';

import { readConfig } from './config.ts';

// Everything else is loaded after the settings are valid, so that mistakes in them are reported at once.
await runService('token-vault', readConfig, async (config, stopping) => {
  const { createVault } = await import('./vault.ts');
  return await createVault(config, undefined, stopping);
});
