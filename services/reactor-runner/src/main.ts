import { setFlagsFromString } from 'node:v8';

import { runService } from '@glovebox/platform/process/lifecycle';

import { readConfig } from './config.ts';

// The data of calls lies in buffers. V8 counts freed buffers towards its next full collection, with a separate limit that
// calls reach after 5 MB of traffic. Without these two flags, full collections take more than half of this process's time
// (docs/adr/0048). The heap grows by 300 % of what a full collection leaves, which is some 30 MB.
setFlagsFromString('--external-memory-accounted-in-global-limit');
setFlagsFromString('--heap-growing-percent=300');

// The rest is loaded after the settings are read, so that errors in them are reported at once.
await runService('reactor-runner', readConfig, async (config) => {
  const { startRunner } = await import('./runner.ts');
  return await startRunner(config);
});
