import pg from 'pg';

/** Whose rows statements can see: the values of the two settings below. */
export interface Scope {
  readonly tenants: string;
  readonly acrossTenants: string;
}

/** Policies of row-level security compare rows with these; both end with the transaction. */
const scopeSettings = { tenants: 'glovebox.tenants', acrossTenants: 'glovebox.across_tenants' };

const statement = 'set-scope';

/** Has no row. Most scopes leave the second setting as it is, which is empty. The third is how to plan the statement. */
const text = `SELECT 1 WHERE set_config('${scopeSettings.tenants}', $1, true) IS NULL
  OR ($2 <> '' AND set_config('${scopeSettings.acrossTenants}', $2, true) IS NULL)
  OR ($3 <> '' AND set_config('plan_cache_mode', $3, true) IS NULL)`;

/** @throws Error for what is no UUID: it could be read as several ids */
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
  await client.query({ name: statement, text, values: ['', '', ''] });
}

/** The scope lasts until the end of the transaction. */
export function beginWithin({ tenants, acrossTenants }: Scope): string {
  return `BEGIN; SET LOCAL ${scopeSettings.tenants} = ${pg.escapeLiteral(tenants)};
    SET LOCAL ${scopeSettings.acrossTenants} = ${pg.escapeLiteral(acrossTenants)}`;
}

/** What `pg` sends messages by; its types leave most of it out. */
interface Connection {
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
  #isSet = false;

  constructor(query: pg.QueryConfig<unknown[]>, scope: Scope, plan: 'generic' | undefined) {
    super(query);
    this.#scope = scope;
    this.#planning = plan === undefined ? '' : 'force_generic_plan';
  }

  /** Always: a statement without values must not be sent as a simple query, which would be a transaction of its own. */
  requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: Connection): void {
    const { tenants, acrossTenants } = this.#scope;
    connection.bind({ portal: '', statement, values: [tenants, acrossTenants, this.#planning] });
    connection.execute({ portal: '', rows: 0 });
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isSet) super.handleCommandComplete(message, connection);
    this.#isSet = true;
  }
}
