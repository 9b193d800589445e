import pg from 'pg';

/** Whose rows statements can see: the values of the two settings below. */
export interface Scope {
  readonly tenants: string;
  readonly acrossTenants: string;
}

/** Policies of row-level security compare rows with these; both end with the transaction. */
const scopeSettings = { tenants: 'glovebox.tenants', acrossTenants: 'glovebox.across_tenants' };

/** Has no row. The third value is how to plan the statement. @param setsAcross when the second setting is set */
const textOf = (
  setsAcross: string,
) => `SELECT 1 WHERE set_config('${scopeSettings.tenants}', $1, true) IS NULL
  OR (${setsAcross} set_config('${scopeSettings.acrossTenants}', $2, true) IS NULL)
  OR ($3 <> '' AND set_config('plan_cache_mode', $3, true) IS NULL)`;

/** The statement that goes ahead of another one and sets its scope. */
export interface ScopeStatement {
  /** Empty: it is parsed each time, since no connection can be relied on to know it. */
  readonly name: string;
  readonly text: string;
}

/**
 * For connections that stay the same: each of them has prepared it. Most scopes leave the second setting as it is, which is
 * empty there.
 */
export const preparedScope: ScopeStatement = { name: 'set-scope', text: textOf("$2 <> '' AND") };

/**
 * For connections that a pooler gives to each transaction anew: it brings along the settings that a connection would
 * otherwise begin with, and takes no setting over from an earlier user of the connection.
 */
export function pooledScope(settings: Readonly<Record<string, string>>): ScopeStatement {
  const set = Object.entries(settings).map(
    ([name, value]) => ` OR set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true) IS NULL`,
  );
  return { name: '', text: textOf('') + set.join('') };
}

/** Of statements outside of any scope, behind a pooler: they see rows of no tenant. */
export const noScope: Scope = { tenants: '', acrossTenants: '' };

/** @throws Error for a value that is not a UUID, which could be read as several ids */
export function scopeOfTenants(tenantIds: readonly string[]): Scope {
  if (!tenantIds.every((id) => /^[\da-f-]{36}$/i.test(id))) throw new Error('ids of tenants are UUIDs');
  return { tenants: tenantIds.length === 0 ? '' : `{${tenantIds.join(',')}}`, acrossTenants: '' };
}

/** @param work the name of work on rows of all tenants */
export function scopeAcrossTenants(work: string): Scope {
  return { tenants: '', acrossTenants: work };
}

/** Every new connection needs this before its first scoped query. */
export async function prepareScopes(client: pg.ClientBase): Promise<void> {
  await client.query({ ...preparedScope, values: ['', '', ''] });
}

/** The scope lasts until the end of the transaction. @param settings other ones that do */
export function beginWithin(
  { tenants, acrossTenants }: Scope,
  settings: Readonly<Record<string, string>>,
): string {
  const { tenants: some, acrossTenants: all } = scopeSettings;
  const set = Object.entries({ [some]: tenants, [all]: acrossTenants, ...settings }).map(
    ([name, value]) => `SET LOCAL ${name} = ${pg.escapeLiteral(value)}`,
  );
  return ['BEGIN', ...set].join('; ');
}

/** What `pg` sends messages by; its types leave most of it out. */
interface Connection {
  parse(message: { name: string; text: string; types: readonly number[] }): void;
  bind(message: { portal: string; statement: string; values: readonly string[] }): void;
  execute(message: { portal: string; rows: number }): void;
}

declare module 'pg' {
  /** What its types leave out. */
  interface Query<R extends pg.QueryResultRow, I> {
    prepare(connection: Connection): void;
    handleCommandComplete(message: unknown, connection: Connection): void;
  }
}

/**
 * One statement within a scope, in one round trip: the messages that set the scope go ahead of those of the statement,
 * and all of them up to the `Sync` are one transaction (PostgreSQL manual, 54.2.3 Extended Query).
 */
export class ScopedQuery extends pg.Query {
  readonly #scope: Scope;
  readonly #planning: string;
  readonly #statement: ScopeStatement;
  #isSet = false;

  constructor(
    query: pg.QueryConfig<unknown[]>,
    scope: Scope,
    plan: 'generic' | undefined,
    statement: ScopeStatement,
  ) {
    super(query);
    this.#scope = scope;
    this.#statement = statement;
    this.#planning = plan === undefined ? '' : 'force_generic_plan';
  }

  /** Always: a statement without values must not be sent as a simple query, which would be a transaction of its own. */
  requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: Connection): void {
    const { tenants, acrossTenants } = this.#scope;
    const { name, text: setting } = this.#statement;
    if (name === '') connection.parse({ name, text: setting, types: [] });
    connection.bind({ portal: '', statement: name, values: [tenants, acrossTenants, this.#planning] });
    connection.execute({ portal: '', rows: 0 });
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isSet) super.handleCommandComplete(message, connection);
    this.#isSet = true;
  }
}
