import pg from 'pg';

/** What the role of a service may do with the tables of its database: it reads and writes the rows of all but these. */
export interface Rights {
  /** It adds rows and never changes any. */
  readonly appended: readonly string[];
}

/** Of every database. */
const onlyRead = ['schema_migrations'];

/**
 * Gives a role exactly its rights, as the owner of the tables. It gets none to change tables, policies or functions.
 * Nothing happens for the owner itself.
 * @param changed there are new tables; otherwise only a role without rights gets them
 */
export async function grantRights(
  client: pg.Client,
  role: string,
  { appended }: Rights,
  changed: boolean,
): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT current_schema() AS schema
      WHERE $1 <> current_user AND ($2 OR NOT has_table_privilege($1, 'schema_migrations', 'SELECT'))`,
    [role, changed],
  );
  const schema = rows[0] && pg.escapeIdentifier(rows[0].schema);
  if (schema === undefined) return;
  const to = pg.escapeIdentifier(role);
  const parts = await partitions(client);
  const list = (tables: readonly string[]) =>
    tables.map((name) => `${schema}.${pg.escapeIdentifier(name)}`).join(', ');
  await client.query(`
    BEGIN;
    REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${to};
    GRANT USAGE ON SCHEMA ${schema} TO ${to};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${to};
    REVOKE INSERT, UPDATE, DELETE ON ${list([...onlyRead, ...(await views(client))])} FROM ${to};
    ${parts.length === 0 ? '' : `REVOKE ALL ON ${list(parts)} FROM ${to};`}
    ${appended.length === 0 ? '' : `REVOKE UPDATE, DELETE ON ${list(appended)} FROM ${to};`}
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${to};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${to};
    COMMIT`);
}

/** A write through a view is made by the view's owner, and no policy restricts that role. */
async function views(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm')`,
  );
  return rows.map(({ name }) => name);
}

/** Rows of a partition are read and written through its table, which has the policy. */
async function partitions(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relispartition AND relkind IN ('r', 'p')`,
  );
  return rows.map(({ name }) => name);
}
