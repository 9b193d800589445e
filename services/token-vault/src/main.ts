import { runService } from '@glovebox/platform/lifecycle';

import { readConfig } from './config.ts';
import { createVault } from './vault.ts';

await runService('token-vault', readConfig, createVault);
