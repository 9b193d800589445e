import type { Queryable } from '@glovebox/platform/db/postgres';

/** Why the vault could not serve: it refuses what it cannot record, so the database must be writable. */
export async function unwritableReason(postgres: Queryable): Promise<string | undefined> {
  const reason = 'the database cannot be reached or not be written';
  try {
    const rows = await postgres.query<{ writable: boolean }>(
      'check-writable',
      `SELECT NOT pg_is_in_recovery() AND has_table_privilege('audit', 'INSERT') AS writable`,
    );
    return rows[0]?.writable === true ? undefined : reason;
  } catch {
    return reason;
  }
}
