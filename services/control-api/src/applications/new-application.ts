import type { ApplicationType, Permission } from '@glovebox/access/permission';
import type { AccessRule } from '@glovebox/access/rules';

import type { NamedRecord } from '../publication/record.ts';
import type { ApplicationLimits, ApplicationRow } from './fields.ts';
import type { KeyRow } from './key.ts';
import { publishedApplication } from './published.ts';

export interface ApplicationInput {
  readonly name: string;
  readonly type: ApplicationType;
  readonly permissions: readonly Permission[];
  readonly rules: readonly AccessRule[];
  /** Absent: no. */
  readonly canCreateExpiring?: boolean;
  /** Absent: none. */
  readonly limits?: ApplicationLimits | null;
  /** Of an expiring one alone. */
  readonly expiresAt?: Date;
}

export interface NewApplication {
  readonly row: ApplicationRow;
  readonly keys: readonly KeyRow[];
  readonly records: readonly NamedRecord[];
}

export function newApplication(
  { name, type, permissions, rules, canCreateExpiring = false, limits = null, expiresAt }: ApplicationInput,
  identity: { readonly id: string; readonly tenantId: string; readonly createdBy: string },
  keys: readonly KeyRow[],
): NewApplication {
  const row: ApplicationRow = {
    id: identity.id,
    tenant_id: identity.tenantId,
    name,
    type,
    permissions,
    rules,
    can_create_expiring_applications: canCreateExpiring,
    limits,
    expires_at: expiresAt ?? null,
    version: '1',
    created_by: identity.createdBy,
    created_at: new Date(),
    modified_by: null,
    modified_at: null,
  };
  const hashes = keys.map((key) => key.key_hash);
  return { row, keys, records: publishedApplication(row, hashes) };
}
