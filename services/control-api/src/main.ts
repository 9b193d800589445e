import { runService } from '@glovebox/platform/lifecycle';

import { readControlConfig } from './config.ts';
import { startControlApi } from './control-api.ts';

await runService('control-api', readControlConfig, startControlApi);
