/** A tenant as it is stored. */
export interface TenantRow {
  readonly id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Digits: a bigint of Postgres. */
  readonly version: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly modified_by: string | null;
  readonly modified_at: Date | null;
}

/** A tenant as the API shows it (contract/tenants.md#tenant). */
export function showTenant(row: TenantRow): object {
  return {
    id: row.id,
    owner_id: row.owner_id,
    name: row.name,
    // Of the other kind, test tenants, there are none: each tenant is a whole one.
    type: 'production',
    settings: row.settings,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    modified_by: row.modified_by ?? undefined,
    modified_at: row.modified_at?.toISOString(),
  };
}
