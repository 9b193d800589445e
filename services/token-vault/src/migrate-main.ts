import { runMigrations } from '@glovebox/platform/db/migrate-command';

import { readMigrationConfig } from './config.ts';
import { schema } from './store/migrations.ts';

await runMigrations(readMigrationConfig, schema);
