import { runService } from '@glovebox/platform/process/lifecycle';

import { readControlConfig } from './config.ts';

// Loads the service only after the settings are valid, so that their problems are reported immediately.
await runService('control-api', readControlConfig, async (config, stopping) => {
  const { startControlApi } = await import('./control-api.ts');
  return await startControlApi(config, { stopping });
});
