import type { Queryable, Transacting } from './postgres.ts';

/** Older rows of a log are written by now, or never will be. */
const settledAfter = `interval '2 minutes'`;
/** A part with more rows is followed by a shorter one. */
const rowsOfPart = 20_000;

/** How the rows of a log are aggregated elsewhere, once, a while after they were written. */
export interface Gathering {
  /** Part of the statements' names. */
  readonly name: string;
  /** A table with one row, whose `gathered_until` marks the progress. */
  readonly progressTable: string;
  /**
   * Aggregates the log from one moment, inclusive, to another, exclusive; both as Postgres writes them. Runs in the
   * transaction that marks it as done.
   * @returns the number of log rows in it
   */
  readonly gather: (tx: Queryable, from: string, to: string) => Promise<number>;
}

/**
 * Aggregates all settled rows, unless another process is doing so. Goes on in steps of a minute, and longer ones where
 * there are few rows, so that every transaction is short.
 */
export async function gatherInParts(postgres: Transacting, gathering: Gathering): Promise<void> {
  let minutes = 1;
  for (;;) {
    const part = await postgres.transaction((tx) => gatherPart(tx, gathering, minutes));
    // Rows that settle meanwhile are left to the next time, or it would never end.
    if (part === undefined || part.isLast) return;
    minutes = part.rows < rowsOfPart ? minutes * 2 : Math.max(1, minutes / 2);
  }
}

interface Part {
  readonly rows: number;
  /** Ends where the settled rows end. */
  readonly isLast: boolean;
}

/** Undefined: no rows were left. */
async function gatherPart(
  tx: Queryable,
  { name, progressTable, gather }: Gathering,
  minutes: number,
): Promise<Part | undefined> {
  const parts = await tx.query<{ from: string; to: string; last: boolean }>(
    `${name}-part`,
    `SELECT gathered_until::text AS "from", part.until::text AS "to",
            part.until < gathered_until + $1 * interval '1 minute' AS last
       FROM ${progressTable},
            LATERAL (SELECT least(gathered_until + $1 * interval '1 minute', now() - ${settledAfter}) AS until) AS part
      WHERE part.until > gathered_until
        FOR UPDATE OF ${progressTable} SKIP LOCKED`,
    [minutes],
  );
  const part = parts[0];
  if (part === undefined) return undefined;
  const rows = await gather(tx, part.from, part.to);
  await tx.query(`${name}-gathered`, `UPDATE ${progressTable} SET gathered_until = $1`, [part.to]);
  return { rows, isLast: part.last };
}
