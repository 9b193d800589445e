import { runMigrations } from '@glovebox/platform/migrate-command';

import { readMigrationConfig } from './config.ts';
import { migrationsFolder } from './migrations.ts';

await runMigrations(readMigrationConfig, migrationsFolder);
