import { availableParallelism } from 'node:os';

import { run } from '@glovebox/platform/lifecycle';
import { startTelemetry } from '@glovebox/platform/telemetry';

import { readConfig } from './config.ts';
import { startRunner } from './runner.ts';

/** Longer than any SHUTDOWN_TIMEOUT_MS: what still runs then is stuck. */
const hardStopMs = 60_000;

await run(async () => {
  const config = readConfig(process.env, availableParallelism());
  const telemetry = await startTelemetry('reactor-runner');
  const runner = await startRunner(config);
  return {
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await telemetry.stop();
    },
  };
}, hardStopMs);
