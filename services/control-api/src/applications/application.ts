import type { ApplicationType } from '@glovebox/access/permission';
import type { AccessRule } from '@glovebox/access/rules';

import { type StoredKey, showKey } from './key.ts';

/** An application as it is stored; its keys stand apart. */
export interface ApplicationRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly permissions: readonly string[];
  readonly rules: readonly AccessRule[];
  readonly can_create_expiring_applications: boolean;
  /** Of an expiring one, and null for all others. */
  readonly expires_at: Date | null;
  /** Digits: a bigint of Postgres. */
  readonly version: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly modified_by: string | null;
  readonly modified_at: Date | null;
}

/** An application with all that is shown of it. */
export interface WholeApplication extends ApplicationRow {
  readonly keys: readonly StoredKey[];
}

/**
 * An application as the API shows it (contract/tenants.md#applications); with a key's text only right after that was
 * made.
 */
export function showApplication(application: WholeApplication, key?: string): object {
  return {
    id: application.id,
    tenant_id: application.tenant_id,
    name: application.name,
    key,
    keys: application.keys.map((one) => showKey(one)),
    type: application.type,
    permissions: application.permissions,
    rules: application.rules,
    can_create_expiring_applications:
      application.type === 'private' ? application.can_create_expiring_applications : undefined,
    expires_at: application.expires_at?.toISOString(),
    created_by: application.created_by,
    created_at: application.created_at.toISOString(),
    modified_by: application.modified_by ?? undefined,
    modified_at: application.modified_at?.toISOString(),
  };
}
