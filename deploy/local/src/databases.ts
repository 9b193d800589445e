import { createHash } from 'node:crypto';

import { type Client, escapeIdentifier, escapeLiteral } from 'pg';

import { withConnection, withDatabase } from './postgres-connection.ts';
import { StartProblem } from './problem.ts';

export interface DatabaseOptions {
  /** Credentials that may create databases. */
  readonly adminUrl: string;
  /** Name of each database, and the password of the role that owns it. */
  readonly passwords: Readonly<Record<string, string>>;
  /** The server is private, so its own databases can be closed to the services too. */
  readonly isPrivate: boolean;
}

export interface PreparedDatabases {
  /** By database, with the credentials of the role that owns it, for migrations. */
  readonly urls: Readonly<Record<string, string>>;
  /** With those of a role for its service, which has no rights before the migrations. Without roles, the same. */
  readonly serviceUrls: Readonly<Record<string, string>>;
  /** False when the credentials may create databases but no roles: then all services share them. */
  readonly separated: boolean;
}

/**
 * Creates what is missing of the services' databases, each with two roles that can't connect to any other.
 *
 * @throws StartProblem when the server doesn't allow it
 */
export async function prepareDatabases(options: DatabaseOptions): Promise<PreparedDatabases> {
  const names = Object.keys(options.passwords);
  return await withConnection(options.adminUrl, async (client) => {
    const may = await permissions(client);
    if (may.roles && options.isPrivate) {
      await client.query('REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC');
    }
    const urls: Record<string, string> = {};
    const serviceUrls: Record<string, string> = {};
    for (const name of names) {
      const password = options.passwords[name] ?? '';
      const url = withDatabase(options.adminUrl, name);
      const owner = `glovebox_${name}`;
      if (may.roles) await ensureRole(client, owner, password);
      await ensureDatabase(client, name, may.roles ? owner : undefined, may.databases);
      urls[name] = may.roles ? withCredentials(url, owner, password) : url;
      serviceUrls[name] = may.roles ? await prepareService(client, url, name, password) : url;
    }
    return { urls, serviceUrls, separated: may.roles };
  });
}

async function permissions(client: Client): Promise<{ roles: boolean; databases: boolean }> {
  const { rows } = await client.query<{ roles: boolean; databases: boolean }>(
    `SELECT rolcreaterole OR rolsuper AS roles, rolcreatedb OR rolsuper AS databases
       FROM pg_roles WHERE rolname = current_user`,
  );
  return rows[0] ?? { roles: false, databases: false };
}

/** @param ownersPassword the source from which the role's password is derived, one way */
async function prepareService(client: Client, url: string, database: string, ownersPassword: string) {
  const role = `glovebox_${database}_service`;
  const password = createHash('sha256').update(`service ${ownersPassword}`).digest('hex');
  await ensureRole(client, role, password);
  await client.query(`GRANT CONNECT ON DATABASE ${escapeIdentifier(database)} TO ${escapeIdentifier(role)}`);
  return withCredentials(url, role, password);
}

async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const identifier = escapeIdentifier(role);
  const attributes = `LOGIN PASSWORD ${escapeLiteral(password)}`;
  await client.query(`${rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${identifier} ${attributes}`);
  // Only a member can give a database to a role. A superuser need not be one, but may.
  await client.query(`GRANT ${identifier} TO CURRENT_USER`);
}

async function ensureDatabase(
  client: Client,
  name: string,
  role: string | undefined,
  allowed: boolean,
): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) {
    if (!allowed) {
      throw new StartProblem(
        `the database ${name} is missing, and the user of DATABASE_URL may not create it`,
        'Grant that user CREATEDB, or create the databases and set CONTROL_DATABASE_URL and VAULT_DATABASE_URL.',
      );
    }
    const owner = role === undefined ? '' : ` OWNER ${escapeIdentifier(role)}`;
    await client.query(
      `CREATE DATABASE ${escapeIdentifier(name)}${owner} TEMPLATE template0 ENCODING 'UTF8'`,
    );
  }
  if (role !== undefined) {
    await client.query(`REVOKE ALL ON DATABASE ${escapeIdentifier(name)} FROM PUBLIC`);
  }
}

function withCredentials(url: string, role: string, password: string): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = encodeURIComponent(password);
  return changed.href;
}
