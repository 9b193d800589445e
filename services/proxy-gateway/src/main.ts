import { runService } from '@glovebox/platform/process/lifecycle';

import { readConfig } from './config.ts';

// All else is loaded once the settings are right, so that problems with them are reported at once.
await runService('proxy-gateway', readConfig, async (config, stopping) => {
  const { startGateway } = await import('./gateway.ts');
  return await startGateway(config, stopping);
});
