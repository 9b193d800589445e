import { type RowOf, column, created, modified, shownFields, text, version } from '../fields/column.ts';

export const tenantFields = {
  id: text({ fixed: true, published: true }),
  owner_id: text({ fixed: true }),
  name: text({}),
  settings: column<Readonly<Record<string, string>>>()({ json: true }),
  version,
  ...created,
  ...modified,
};

/** A tenant as it is stored. */
export type TenantRow = RowOf<typeof tenantFields>;

/** A tenant as the API shows it (contract/tenants.md#tenant). */
export function showTenant(row: TenantRow): object {
  // Every tenant is a production tenant; there are no test tenants.
  return shownFields(tenantFields, row, { type: 'production' });
}
