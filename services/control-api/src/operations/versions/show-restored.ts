import type { Permission } from '@glovebox/access/permission';
import { holdsAnywhere } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';

import type { Call, Reply } from '../../http/call.ts';
import { type VersionedKind, showOutline, showVersion } from '../../versions/kind.ts';
import { missingVersion } from './missing.ts';

interface Made {
  readonly version: string;
  readonly readPermission: Permission;
}

/** The version that a restore has made. */
export async function showRestored(
  tx: Queryable,
  kind: VersionedKind,
  call: Call,
  made: Made,
): Promise<Reply> {
  return { status: 200, body: await showMade(tx, kind, call, made), version: made.version };
}

/** A version that a call has made; with its definition only for callers who may read it. */
export async function showMade(
  tx: Queryable,
  kind: VersionedKind,
  { principal, id }: Call,
  { version, readPermission }: Made,
): Promise<object> {
  const row = (await kind.find(tx, principal.tenantId, id, Number(version))) ?? missingVersion(kind);
  const mayRead = holdsAnywhere(principal.grants, readPermission);
  return mayRead ? showVersion(kind, row) : showOutline(row);
}
