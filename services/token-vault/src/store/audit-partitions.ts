import type { PartitionedLog } from '@glovebox/platform/db/log-partitions';
import type { Queryable } from '@glovebox/platform/db/postgres';

import type { Seal } from './audit-seals.ts';

/** The log of the vault, as platform's log-partitions.ts makes its partitions. */
export const auditLog = (db: Queryable): PartitionedLog => ({ name: 'audit', db });

/** The partitions whose time ended before a moment, the oldest first. */
export async function partitionsBefore(db: Queryable, before: Date): Promise<readonly string[]> {
  const rows = await db.query<{ name: string }>(
    'audit-partitions-before',
    'SELECT name FROM audit_partitions() WHERE ends <= $1 ORDER BY ends',
    [before],
  );
  return rows.map(({ name }) => name);
}

/** The ranges of a partition whose rows are there, by their numbers. A range is of one day, so of one partition. */
export function rangesOf(db: Queryable, partition: string): Promise<Pick<Seal, 'number' | 'digest'>[]> {
  return db.query<Pick<Seal, 'number' | 'digest'>>(
    'audit-partition-ranges',
    `SELECT number, digest FROM audit_seal, audit_partitions() AS p
      WHERE p.name = $1 AND purged_at IS NULL
        AND newest_at >= coalesce(p.starts, '-infinity') AND newest_at < p.ends
      ORDER BY number`,
    [partition],
  );
}

/**
 * Removes a partition whole, and stores the proof of each of its ranges.
 * @param purgedAt in microseconds since the epoch
 * @returns false: another vault did so
 */
export async function dropPartition(
  db: Queryable,
  partition: string,
  purgedAt: string,
  proofs: readonly { readonly number: string; readonly proof: Buffer }[],
): Promise<boolean> {
  const rows = await db.query<{ dropped: boolean }>(
    'audit-partition-drop',
    `SELECT drop_audit_partition($1, 'epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3, $4) AS dropped`,
    [partition, purgedAt, proofs.map(({ number }) => number), proofs.map(({ proof }) => proof)],
  );
  return rows[0]?.dropped === true;
}
