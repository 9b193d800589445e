import type { Queryable } from '@glovebox/platform/db/postgres';

/** Who this database is to the projection, and how many of its changes are known to be in it. */
export interface Installation {
  readonly id: string;
  readonly lastPublished: number;
}

export async function readInstallation(db: Queryable): Promise<Installation> {
  const rows = await db.query<{ id: string; last_published: string }>(
    'read-installation',
    'SELECT id, last_published FROM installation',
  );
  const row = rows[0];
  if (row === undefined) throw new Error('the database has no installation row');
  return { id: row.id, lastPublished: Number(row.last_published) };
}

export async function advanceInstallation(tx: Queryable, lastPublished: number): Promise<void> {
  await tx.query('advance-installation', 'UPDATE installation SET last_published = $1', [lastPublished]);
}
