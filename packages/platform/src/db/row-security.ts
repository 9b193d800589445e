import type { Logger } from '../telemetry/logger.ts';
import { type MetricsRegistry, Gauge } from '../telemetry/metrics.ts';
import type { Queryable } from './postgres.ts';

export interface RowSecurityOptions {
  readonly db: Queryable;
  /** One that has a policy. */
  readonly table: string;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
}

/**
 * Reports whether row-level security applies to the role of this service. It does not where the role owns the tables, is
 * a superuser or has BYPASSRLS; the service then works as well, without this second line of defence.
 * @returns the note for `/readyz`
 */
export async function reportRowSecurity(options: RowSecurityOptions): Promise<string | undefined> {
  const { db, table, metrics, logger } = options;
  const rows = await db.query<{ active: boolean }>(
    'row-security-active',
    'SELECT row_security_active($1::regclass) AS active',
    [table],
  );
  const active = rows[0]?.active === true;
  new Gauge({
    name: 'glovebox_row_security',
    help: '1 if the database restricts this service to the rows of the tenant that a statement is for, else 0.',
    registers: [metrics],
  }).set(active ? 1 : 0);
  if (active) return undefined;
  const note = 'row-level security does not apply to the role of DATABASE_URL: set MIGRATION_DATABASE_URL';
  logger.warn({ table }, note);
  return note;
}
