import { run } from '@glovebox/platform/lifecycle';
import { startTelemetry } from '@glovebox/platform/telemetry';

import { readControlConfig } from './config.ts';
import { startControlApi } from './control-api.ts';

const telemetry = await startTelemetry('control-api');
/** Of a whole stop; SHUTDOWN_TIMEOUT_MS bounds the requests that run. */
const stopTimeoutMs = 30_000;
await run(() => startControlApi(readControlConfig()), stopTimeoutMs);
await telemetry.stop();
