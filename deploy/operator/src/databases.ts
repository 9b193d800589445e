import { CommandError, exitCodes } from '@glovebox/platform/process/commands';
import { Secret } from '@glovebox/platform/values/secret';
import pg from 'pg';

/** The names of the key-encryption keys that wrap anything in the vault's database. */
export async function keyEncryptionKeys(vault: Secret<string>): Promise<string[]> {
  const rows = await query<{ id: string }>(
    acrossTenants(vault),
    'SELECT DISTINCT key_id AS id FROM (SELECT key_id FROM tenant_key UNION SELECT key_id FROM audit_key) AS k ORDER BY 1',
  );
  return rows.map(({ id }) => id);
}

/** Whether a database holds nothing but what every database does. */
export async function isEmpty(database: Secret<string>): Promise<boolean> {
  const [row] = await query<{ empty: boolean }>(
    database,
    `SELECT NOT EXISTS (
       SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname <> 'information_schema' AND nspname !~ '^pg_') AS empty`,
  );
  return row?.empty === true;
}

/** Roles that do not own the tables see rows of all tenants only when they ask for it. */
export function acrossTenants(database: Secret<string>): Secret<string> {
  const url = new URL(database.reveal());
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.set('options', `${options} -c glovebox.across_tenants=backup`.trim());
  // libpq takes a + for itself.
  url.search = url.search.replaceAll('+', '%20');
  return new Secret(url.href);
}

/** @throws CommandError */
async function query<Row extends object>(database: Secret<string>, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.reveal(), connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(statement)).rows;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const advice = 'Is the server running, and is the URL right?';
    throw new CommandError(exitCodes.unavailable, `a database cannot be used: ${why}\n${advice}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
