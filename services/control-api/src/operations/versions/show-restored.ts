import type { Permission } from '@glovebox/access/permission';
import { holdsAnywhere } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';

import type { Call, Reply } from '../../http/call.ts';
import { type VersionedKind, showOutline, showVersion } from '../../versions/kind.ts';
import { missingVersion } from './missing.ts';

/** The version that a restore has made; with its definition only for callers who may read it. */
export async function showRestored(
  tx: Queryable,
  kind: VersionedKind,
  { principal, id }: Call,
  restored: { readonly version: string; readonly readPermission: Permission },
): Promise<Reply> {
  const { version, readPermission } = restored;
  const row = (await kind.find(tx, principal.tenantId, id, Number(version))) ?? missingVersion(kind);
  const mayRead = holdsAnywhere(principal.grants, readPermission);
  return { status: 200, body: mayRead ? showVersion(kind, row) : showOutline(row), version };
}
