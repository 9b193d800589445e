import { runMigrations } from '@glovebox/platform/db/migrate-command';

import { readMigrationConfig } from './config.ts';
import { migrationsFolder } from './store/migrations.ts';

await runMigrations(readMigrationConfig, migrationsFolder);
