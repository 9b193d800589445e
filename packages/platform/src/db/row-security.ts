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

const note = 'row-level security does not apply to the role of DATABASE_URL: set MIGRATION_DATABASE_URL';

/**
 * Reports whether row-level security applies to the role of this service. It does not where the role owns the tables, is
 * a superuser or has BYPASSRLS; the service then works as well, without this second line of defence.
 * @returns the note for `/readyz`
 */
export function reportRowSecurity({
  db,
  table,
  metrics,
  logger,
}: RowSecurityOptions): () => Promise<string | undefined> {
  let active: boolean | undefined;
  const look = async () => {
    const rows = await db.query<{ active: boolean }>(
      'row-security-active',
      'SELECT row_security_active($1::text) AS active',
      [table],
    );
    if (active === undefined && rows[0]?.active === false) logger.warn({ table }, note);
    active = rows[0]?.active;
  };
  // A role and its rights stay. While the database does not answer, other reports say so.
  const lookOnce = async () => {
    if (active === undefined) await look().catch(() => undefined);
  };
  const gauge: Gauge = new Gauge({
    name: 'glovebox_row_security',
    help: '1 if the database restricts this service to the rows of the tenant that a statement is for, else 0.',
    registers: [metrics],
    async collect() {
      await lookOnce();
      if (active !== undefined) gauge.set(active ? 1 : 0);
    },
  });
  void lookOnce();
  return async () => {
    await lookOnce();
    return active === false ? note : undefined;
  };
}
