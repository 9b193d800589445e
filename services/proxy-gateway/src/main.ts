import { runService } from '@glovebox/platform/lifecycle';

import { readConfig } from './config.ts';
import { startGateway } from './gateway.ts';

await runService('proxy-gateway', readConfig, startGateway);
