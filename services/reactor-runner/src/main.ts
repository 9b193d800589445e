import { runService } from '@glovebox/platform/process/lifecycle';

import { readConfig } from './config.ts';
import { collectSeldom } from './heap-limits.ts';

collectSeldom();

// All else is loaded once the settings are right: what is wrong with them is told at once.
await runService('reactor-runner', readConfig, async (config) => {
  const { startRunner } = await import('./runner.ts');
  return await startRunner(config);
});
