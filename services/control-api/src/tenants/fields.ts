import { type RowOf, column, created, modified, shownFields, text, version } from '../fields/column.ts';

/** Where requests on behalf of a tenant may go (contract/destinations.md#egress-policy-of-a-tenant). */
export interface TenantEgressPolicy {
  readonly mode: 'off' | 'report' | 'enforce';
  /** Normalised host patterns. */
  readonly destinations: readonly string[];
  /** Whether ephemeral proxies may be used. */
  readonly ephemeral: boolean;
}

export const tenantFields = {
  id: text({ fixed: true, published: true }),
  owner_id: text({ fixed: true }),
  name: text({}),
  settings: column<Readonly<Record<string, string>>>()({ json: true }),
  /** Null: not set. */
  egress_policy: column<TenantEgressPolicy | null>()({ json: true, hidden: true }),
  version,
  ...created,
  ...modified,
};

const noPolicy: TenantEgressPolicy = { mode: 'off', destinations: [], ephemeral: true };

/** The egress policy as the API shows it. */
export function showEgressPolicy({ egress_policy }: Pick<TenantRow, 'egress_policy'>): TenantEgressPolicy {
  return egress_policy ?? noPolicy;
}

/** A tenant as it is stored. */
export type TenantRow = RowOf<typeof tenantFields>;

/** A tenant as the API shows it (contract/tenants.md#tenant). */
export function showTenant(row: TenantRow): object {
  // Every tenant is a production tenant; there are no test tenants.
  return shownFields(tenantFields, row, { type: 'production' });
}
