import type { Queryable } from '@glovebox/platform/db/postgres';

const takenAtOnce = 100;

/**
 * Numbers for new revisions. A revision is authenticated with its row, so it must be known before the row is written; many
 * are taken from the sequence at once, so that this costs no round trip. Those of a vault that ends are lost.
 */
export class Revisions {
  readonly #left: string[] = [];

  /** @param db any connection: a sequence is no part of a transaction */
  async next(db: Queryable): Promise<string> {
    for (;;) {
      const next = this.#left.pop();
      if (next !== undefined) return next;
      const rows = await db.query<{ revision: string }>(
        'revisions-take',
        `SELECT nextval('token_revision') AS revision FROM generate_series(1, $1)`,
        [takenAtOnce],
      );
      for (const { revision } of rows) this.#left.push(revision);
    }
  }
}
