import { ConfigError } from '../settings/config-error.ts';
import type { MigrationRoles, Schema } from './migrate.ts';

/**
 * Runs the migrations of one database as this process, before a new version of a service starts (a Kubernetes Job).
 * Prints one JSON line with the names of the migrations that ran. Exits with 78 when the configuration is wrong, and
 * with 1 when a migration fails, with the reason on stderr.
 */
export async function runMigrations(readRoles: () => MigrationRoles, schema: Schema): Promise<void> {
  try {
    const roles = readRoles();
    const { migrateFor } = await import('./migrate.ts');
    const ran = await migrateFor(roles, schema);
    process.stdout.write(`${JSON.stringify({ msg: 'migrated', ran })}\n`);
  } catch (error) {
    const expected = error instanceof ConfigError;
    process.stderr.write(`${expected ? error.message : describe(error)}\n`);
    process.exitCode = expected ? 78 : 1;
  }
}

/** With its causes: the first only names the migration. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}
