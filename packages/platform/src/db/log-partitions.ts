import type { Logger } from '../telemetry/logger.ts';
import type { MetricsRegistry } from '../telemetry/metrics.ts';
import { addSeldomReadGauge } from '../telemetry/seldom-read-gauge.ts';
import type { Queryable } from './postgres.ts';

/**
 * A log in partitions by time. The database has the functions `<name>_partitions()`, which lists them with their `starts`
 * and `ends`, and `make_<name>_partitions(until, width)`, which makes those that are missing and returns how many.
 */
export interface PartitionedLog {
  readonly name: string;
  readonly db: Queryable;
}

/** How much time a new partition holds; weeks begin on Monday, all in UTC. */
export type PartitionWidth = 'week' | 'month';

const dayMs = 24 * 60 * 60_000;
/** For so long, all rounds may fail. */
const daysAhead = 60;
/** A month that is dropped whole would double a short retention. */
const daysOfShortRetention = 180;

/** Makes partitions for all times before a moment, unless another process is doing so. @returns how many */
export async function makePartitions(
  { name, db }: PartitionedLog,
  until: Date,
  width: PartitionWidth,
): Promise<number> {
  const rows = await db.query<{ made: number }>(
    `${name}-partitions-make`,
    `SELECT make_${name}_partitions($1, $2) AS made`,
    [until, width],
  );
  return rows[0]?.made ?? 0;
}

/** Makes the partitions that the next time needs. @param retentionDays of entries; 0: forever */
export async function makePartitionsAhead(
  log: PartitionedLog,
  retentionDays: number,
  logger: Logger,
): Promise<void> {
  const isShort = retentionDays > 0 && retentionDays <= daysOfShortRetention;
  try {
    const until = new Date(Date.now() + daysAhead * dayMs);
    const made = await makePartitions(log, until, isShort ? 'week' : 'month');
    if (made > 0) logger.info({ log: log.name, made }, 'partitions of the log were made ahead');
  } catch (err) {
    logger.warn(
      { err, log: log.name },
      'no partition of the log was made ahead; the next round will try again',
    );
  }
}

/** At 0, no entry can be written, and what has to be recorded is refused. */
export function addLogRoomGauge(registry: MetricsRegistry, log: PartitionedLog): void {
  addSeldomReadGauge(registry, {
    name: 'glovebox_log_room_seconds',
    help: 'How long the partitions of the log that are made will last; of all processes of the service together.',
    everyMs: 60_000,
    read: () => secondsAhead(log),
  });
}

async function secondsAhead({ name, db }: PartitionedLog): Promise<number> {
  const rows = await db.query<{ seconds: number | null }>(
    `${name}-partitions-ahead`,
    `SELECT extract(epoch FROM max(ends) - now())::float8 AS seconds FROM ${name}_partitions()`,
  );
  return rows[0]?.seconds ?? 0;
}
