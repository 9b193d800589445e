import { run } from '@glovebox/platform/lifecycle';
import { startTelemetry } from '@glovebox/platform/telemetry';

import { readConfig } from './config.ts';
import { startGateway } from './gateway.ts';

await run(async () => {
  const config = readConfig();
  const telemetry = await startTelemetry('proxy-gateway');
  const gateway = await startGateway(config);
  return {
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await telemetry.stop();
    },
  };
});
