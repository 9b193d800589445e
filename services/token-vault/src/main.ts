import { run } from '@glovebox/platform/lifecycle';
import { startTelemetry } from '@glovebox/platform/telemetry';

import { readConfig } from './config.ts';
import { createVault } from './vault.ts';

/** Longer than any SHUTDOWN_TIMEOUT_MS: what still runs then is stuck. */
const hardStopMs = 60_000;

await run(async () => {
  const config = readConfig();
  const telemetry = await startTelemetry('token-vault');
  const vault = await createVault(config);
  return {
    async [Symbol.asyncDispose]() {
      await vault[Symbol.asyncDispose]();
      await telemetry.stop();
    },
  };
}, hardStopMs);
