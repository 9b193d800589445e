/** The gateway's main.ts, with so many requests of its own that each path is taken. */
import { runService } from '@glovebox/platform/process/lifecycle';

import { readConfig } from '../src/config.ts';
import { startGateway } from '../src/gateway.ts';

await runService('proxy-gateway', readConfig, (config, stopping) => startGateway(config, stopping, 1000));
