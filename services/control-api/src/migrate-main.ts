import { runMigrations } from '@glovebox/platform/db/migrate-command';

import { readMigrationConfig } from './config.ts';
import { schema } from './migrations.ts';

await runMigrations(readMigrationConfig, schema);
