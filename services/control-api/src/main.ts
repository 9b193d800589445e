import { runService } from '@glovebox/platform/process/lifecycle';

import { readControlConfig } from './config.ts';

// All else is loaded once the settings are right: what is wrong with them is told at once.
await runService('control-api', readControlConfig, async (config, stopping) => {
  const { startControlApi } = await import('./control-api.ts');
  return await startControlApi(config, { stopping });
});
