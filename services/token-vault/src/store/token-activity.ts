import { gatherInParts } from '@glovebox/platform/db/gather-in-parts';
import type { PartitionedLog } from '@glovebox/platform/db/log-partitions';
import type { Queryable, Transacting } from '@glovebox/platform/db/postgres';
import { monthOf } from '@glovebox/platform/values/month-of';

const keptMonths = 13;

/** What is erased does not come back from the audit log, which stays. */
export const notErased =
  'NOT EXISTS (SELECT 1 FROM tenant_erasure AS erased WHERE erased.tenant_id = audit.tenant_id)';

/** A token is active if an application was allowed to do something with it. */
const counts = `outcome = 'allowed' AND application_id IS NOT NULL AND token_id IS NOT NULL`;

/** The first month that is kept. Nothing is gathered from before it: its partition may be gone. */
const oldestMonth = `(${monthOf('now()')} - interval '${keptMonths} months')::date`;

/** The months, as platform's log-partitions.ts makes their partitions. */
export const activityMonths = (db: Queryable): PartitionedLog => ({ name: 'activity', db });

/** Gathers from the audit log which tokens were active, unless another vault is doing so. */
export async function gatherActivity(postgres: Transacting): Promise<void> {
  await gatherInParts(postgres, {
    name: 'activity',
    progressTable: 'token_activity_progress',
    gather: async (tx, from, to) => {
      const rows = await tx.query<{ count: number }>(
        'activity-gather',
        `WITH done AS MATERIALIZED (
           SELECT ${monthOf('at')} AS month, tenant_id, token_id FROM audit WHERE at >= $1 AND at < $2 AND ${counts}
             AND ${monthOf('at')} >= ${oldestMonth} AND ${notErased}),
         gathered AS (
           INSERT INTO token_activity (month, tenant_id, token_id)
           SELECT DISTINCT month, tenant_id, token_id FROM done ON CONFLICT DO NOTHING)
         SELECT count(*)::integer AS count FROM done`,
        [from, to],
      );
      return rows[0]?.count ?? 0;
    },
  });
  await forgetActivity(postgres);
}

const forgottenAtOnce = 10_000;

/** Drops the months that are too old. Those in the partition from before there were any are deleted, some at a time. */
async function forgetActivity(db: Queryable): Promise<void> {
  await db.query(
    'activity-drop',
    `SELECT drop_activity_partitions(${oldestMonth}::timestamp AT TIME ZONE 'UTC')`,
  );
  for (let more = true; more;) {
    const rows = await db.query<{ count: number }>(
      'activity-forget',
      `WITH old AS (SELECT tenant_id, month, token_id FROM token_activity WHERE month < ${oldestMonth} LIMIT $1),
       forgotten AS (
         DELETE FROM token_activity AS a USING old
          WHERE (a.tenant_id, a.month, a.token_id) = (old.tenant_id, old.month, old.token_id) RETURNING 1)
       SELECT count(*)::integer AS count FROM forgotten`,
      [forgottenAtOnce],
    );
    more = rows[0]?.count === forgottenAtOnce;
  }
}

/** The number of tokens that were active in a month. */
export interface MonthlyActivity {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly activeTokens: number;
}

/** The last twelve months with active tokens, the latest first. Activity that is not gathered yet is counted in place. */
export async function readActivity(db: Queryable, tenantId: string): Promise<MonthlyActivity[]> {
  const rows = await db.query<{ year: number; month: number; count: string }>(
    'activity-read',
    `WITH recent AS MATERIALIZED (
       SELECT DISTINCT ${monthOf('at')} AS month, token_id
         FROM audit
        WHERE tenant_id = $1 AND at >= (SELECT gathered_until FROM token_activity_progress) AND ${counts}),
     months AS (
       SELECT (${monthOf('now()')} - make_interval(months => n))::date AS month FROM generate_series(0, 11) AS n),
     counted AS (
       SELECT month,
              (SELECT count(*) FROM token_activity a WHERE a.month = months.month AND a.tenant_id = $1)
              + (SELECT count(*) FROM recent r
                  WHERE r.month = months.month
                    AND NOT EXISTS (SELECT 1 FROM token_activity a
                                     WHERE a.month = r.month AND a.tenant_id = $1 AND a.token_id = r.token_id)) AS count
         FROM months)
     SELECT extract(year FROM month)::integer AS year, extract(month FROM month)::integer AS month, count
       FROM counted WHERE count > 0 ORDER BY counted.month DESC`,
    [tenantId],
  );
  return rows.map(({ year, month, count }) => ({ year, month, activeTokens: Number(count) }));
}
