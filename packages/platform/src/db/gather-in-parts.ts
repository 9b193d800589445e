import type { Postgres, Queryable } from './postgres.ts';

/** Rows of a log that were begun before are written, or never will be. */
const settledAfter = `interval '2 minutes'`;
/** A part that has more rows is followed by a shorter one. */
const rowsOfPart = 20_000;

/** How what is written to a log is put away somewhere else, once, a while after it was written. */
export interface Gathering {
  /** Names the statements. */
  readonly name: string;
  /** Has one row, whose `gathered_until` says how far it has come. */
  readonly progressTable: string;
  /**
   * Puts away what stands in the log from one moment, inclusive, to another, exclusive; both as Postgres writes them.
   * Runs in the transaction that notes it as done.
   *
   * @returns how many rows of the log that were
   */
  readonly gather: (tx: Queryable, from: string, to: string) => Promise<number>;
}

/**
 * Gathers what is settled since the last time, unless another process is at it. Goes on from minute to minute, and faster
 * where little was written, so that no transaction takes long however much there is.
 */
export async function gatherInParts(postgres: Postgres, gathering: Gathering): Promise<void> {
  let minutes = 1;
  for (;;) {
    const part = await postgres.transaction((tx) => gatherPart(tx, gathering, minutes));
    // What has settled meanwhile is for the next time: there is always something.
    if (part === undefined || part.isLast) return;
    minutes = part.rows < rowsOfPart ? minutes * 2 : Math.max(1, minutes / 2);
  }
}

interface Part {
  readonly rows: number;
  /** It ends where what has settled ends. */
  readonly isLast: boolean;
}

/** Undefined: nothing was left to gather. */
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
