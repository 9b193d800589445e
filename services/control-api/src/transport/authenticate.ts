import type { IncomingHttpHeaders } from 'node:http';

import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import { missingPermission } from '@glovebox/access/missing-permission';
import type { ApplicationType } from '@glovebox/access/permission';
import type { Principal } from '@glovebox/access/principal';
import { type StoredRule, compileGrants, holdsAnywhere } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { Caller } from './caller.ts';
import { soleHeader } from './headers.ts';
import type { Operation } from './operation.ts';

interface CallerRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly type: ApplicationType;
  readonly permissions: string[];
  readonly rules: StoredRule[];
  readonly can_create_expiring_applications: boolean;
  readonly expires_at: Date | null;
}

/** @throws AppError `unauthenticated` without a key that belongs to an application, `invalid_argument` with two. */
export async function authenticate(db: Queryable, headers: IncomingHttpHeaders): Promise<Caller> {
  const key = soleHeader(headers, 'api-key');
  if (key === undefined) throw new AppError('unauthenticated', 'The header SVC-API-KEY is required.');
  const row = isPlausibleApiKey(key) ? await readCaller(db, hashKey(key)) : undefined;
  if (row === undefined || isOver(row)) throw new AppError('unauthenticated', 'The API key is not valid.');
  return {
    tenantId: row.tenant_id,
    applicationId: row.id,
    applicationType: row.type,
    grants: compileGrants(row.permissions, row.rules),
    mayCreateExpiring: row.can_create_expiring_applications,
  };
}

/** By the clock of a service, as the data plane judges it. */
function isOver({ expires_at }: CallerRow): boolean {
  return expires_at !== null && expires_at.getTime() <= Date.now();
}

/** @throws AppError `permission_denied` */
export function requirePermission(principal: Principal, permission: Operation['permission']): void {
  if (permission === 'any-key') return;
  const required = typeof permission === 'string' ? [permission] : permission;
  const missing = required.find((one) => !holdsAnywhere(principal.grants, one));
  if (missing === undefined) return;
  throw new AppError('permission_denied', missingPermission(missing, principal));
}

async function readCaller(db: Queryable, keyHash: string): Promise<CallerRow | undefined> {
  const rows = await db.query<CallerRow>(
    'read-caller',
    `SELECT a.id, a.tenant_id, a.type, a.permissions, a.rules, a.can_create_expiring_applications, a.expires_at
       FROM application_keys k JOIN applications a ON a.id = k.application_id
      WHERE k.key_hash = $1`,
    [keyHash],
  );
  return rows[0];
}
