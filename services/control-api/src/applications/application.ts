import type { ApplicationType } from '@glovebox/access/permission';
import type { AccessRule } from '@glovebox/access/rules';

/** An application as it is stored; its keys stand apart. */
export interface ApplicationRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly permissions: readonly string[];
  readonly rules: readonly AccessRule[];
  /** Digits: a bigint of Postgres. */
  readonly version: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly modified_by: string | null;
  readonly modified_at: Date | null;
}

/** An application as the API shows it (api-facts 2.2); with its key only right after that was made. */
export function showApplication(row: ApplicationRow, key?: string): object {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    key,
    type: row.type,
    permissions: row.permissions,
    rules: row.rules,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    modified_by: row.modified_by ?? undefined,
    modified_at: row.modified_at?.toISOString(),
  };
}
