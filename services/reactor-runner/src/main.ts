import { runService } from '@glovebox/platform/lifecycle';

import { readConfig } from './config.ts';
import { startRunner } from './runner.ts';

await runService('reactor-runner', readConfig, startRunner);
