import type { Queryable } from '@glovebox/platform/db/postgres';
import type { TenantTraffic } from '@glovebox/protos/vault/v1/vault';

/** The steps in which traffic is kept, in seconds, each with the time for which it is. */
export const trafficSteps = [
  { seconds: 300, keptMs: 2 * 24 * 60 * 60_000 },
  { seconds: 3600, keptMs: 30 * 24 * 60 * 60_000 },
] as const;

export interface StoredPoint {
  /** The start of the step, in microseconds since the epoch. */
  readonly at: string;
  readonly requests: string;
  readonly errors: string;
  readonly refused: string;
  readonly killed: string;
  readonly leaks: string;
  readonly durations: readonly string[];
}

/** Adds to the present steps. @param tenants each once */
export async function addTraffic(db: Queryable, tenants: readonly TenantTraffic[]): Promise<void> {
  await db.query(
    'traffic-add',
    `INSERT INTO tenant_traffic AS known (tenant_id, step, at, requests, errors, refused, killed, durations)
     SELECT tenant_id, step, date_bin(step * interval '1 second', now(), 'epoch'), requests, errors, refused, killed,
            durations
       FROM json_to_recordset($1::json) AS more (tenant_id uuid, requests bigint, errors bigint, refused bigint,
                                                 killed bigint, durations bigint[]),
            unnest($2::integer[]) AS step
      ORDER BY tenant_id, step
         ON CONFLICT (tenant_id, step, at) DO UPDATE
        SET requests = known.requests + excluded.requests, errors = known.errors + excluded.errors,
            refused = known.refused + excluded.refused, killed = known.killed + excluded.killed,
            durations = ARRAY(SELECT coalesce(one, 0) + coalesce(other, 0)
                                FROM unnest(known.durations, excluded.durations) WITH ORDINALITY AS both_of (one, other, n)
                               ORDER BY n)`,
    [
      JSON.stringify(tenants.map(({ tenantId, ...counts }) => ({ tenant_id: tenantId, ...counts }))),
      trafficSteps.map(({ seconds }) => seconds),
    ],
  );
}

/** The steps of one tenant from a moment on, in order, with the leaks that the audit log has. */
export function selectTraffic(
  db: Queryable,
  tenantId: string,
  stepSeconds: number,
  from: Date,
): Promise<StoredPoint[]> {
  return db.query<StoredPoint>(
    'traffic-select',
    `WITH leaks AS (
       SELECT date_bin($2 * interval '1 second', at, 'epoch') AS at, sum(coalesce(count, 1)) AS leaks
         FROM searchable_audit WHERE tenant_id = $1 AND purpose = 'leak' AND at >= $3 GROUP BY 1),
     steps AS (SELECT * FROM tenant_traffic WHERE tenant_id = $1 AND step = $2 AND at >= $3)
     SELECT (extract(epoch FROM at) * 1000000)::bigint AS at, coalesce(requests, 0) AS requests,
            coalesce(errors, 0) AS errors, coalesce(refused, 0) AS refused, coalesce(killed, 0) AS killed,
            coalesce(leaks, 0)::bigint AS leaks, coalesce(durations, '{}') AS durations
       FROM steps FULL JOIN leaks USING (at) ORDER BY 1`,
    [tenantId, stepSeconds, from],
  );
}

const purgedAtOnce = 10_000;

/** Removes what is older than it is kept, some at a time. */
export async function purgeTraffic(db: Queryable, now: Date): Promise<void> {
  for (const { seconds, keptMs } of trafficSteps) {
    for (let more = true; more;) {
      const rows = await db.query<{ count: number }>(
        'traffic-purge',
        `WITH old AS (SELECT tenant_id, step, at FROM tenant_traffic WHERE step = $1 AND at < $2 LIMIT $3),
         purged AS (
           DELETE FROM tenant_traffic AS t USING old
            WHERE (t.tenant_id, t.step, t.at) = (old.tenant_id, old.step, old.at) RETURNING 1)
         SELECT count(*)::integer AS count FROM purged`,
        [seconds, new Date(now.getTime() - keptMs), purgedAtOnce],
      );
      more = rows[0]?.count === purgedAtOnce;
    }
  }
}
