import type { IncomingHttpHeaders } from 'node:http';

import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import { missingPermission } from '@glovebox/access/missing-permission';
import type { ApplicationType } from '@glovebox/access/permission';
import type { Principal } from '@glovebox/access/principal';
import { type StoredRule, compileGrants, holdsAnywhere } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';
import type { RateLimits } from '@glovebox/platform/db/rate-limits';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { SignedInPerson } from '../http/call.ts';
import { permissionsOf, tokenViewOf } from '../people/roles.ts';
import { sessionOver } from '../people/sessions.ts';
import { soleHeader } from './headers.ts';
import type { Route } from './route.ts';
import { requireSameTenant, sessionOf } from './session.ts';

/** The application that calls, with what only this service asks of one. */
export interface ManagementPrincipal extends Principal {
  readonly mayCreateExpiring: boolean;
  readonly person?: SignedInPerson;
  /** SHA-256 of the key that was sent, in hex; absent for sessions. */
  readonly keyHash?: string;
  /** What rates are counted for. */
  readonly rateKey: string;
}

export type ManagementLimits = RateLimits<'key' | 'tenant'>;

interface PrincipalRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly type: ApplicationType;
  readonly permissions: string[];
  readonly rules: StoredRule[];
  readonly can_create_expiring_applications: boolean;
  readonly expires_at: Date | null;
}

/**
 * The caller: the application of an API key, or the person of a console session. A key comes first.
 * @throws AppError `unauthenticated` with neither, `invalid_argument` with two keys; what `sessionOf` throws
 */
export async function authenticate(
  db: Queryable,
  headers: IncomingHttpHeaders,
): Promise<ManagementPrincipal> {
  const key = soleHeader(headers, 'api-key');
  if (key !== undefined) {
    if (!isPlausibleApiKey(key)) throw new AppError('unauthenticated', keyInvalid);
    const keyHash = hashKey(key);
    return { ...(await principalOfKeyHash(db, keyHash)), keyHash };
  }
  const signedIn = await sessionOf(db, headers);
  if (signedIn === undefined) throw new AppError('unauthenticated', 'The header SVC-API-KEY is required.');
  const { session } = signedIn;
  requireSameTenant(headers, session);
  const { holder, tenantId, createdAt: signedInAt } = session;
  if (holder.kind === 'key') return principalOfKeyHash(db, holder.keyHash, sessionOver);
  return {
    tenantId,
    applicationId: holder.userId,
    applicationType: 'management',
    isPerson: true,
    person: { tokenView: tokenViewOf(holder.role), signedInAt },
    grants: compileGrants(permissionsOf(holder.role), []),
    mayCreateExpiring: false,
    rateKey: `${tenantId} ${holder.userId}`,
  };
}

const keyInvalid = 'The API key is not valid.';

/** @throws AppError `unauthenticated` when no application has the key, or is over */
export async function principalOfKeyHash(
  db: Queryable,
  keyHash: string,
  refusal = keyInvalid,
): Promise<ManagementPrincipal> {
  const row = await readPrincipal(db, keyHash);
  if (row === undefined || isOver(row)) throw new AppError('unauthenticated', refusal);
  return {
    tenantId: row.tenant_id,
    applicationId: row.id,
    applicationType: row.type,
    grants: compileGrants(row.permissions, row.rules),
    mayCreateExpiring: row.can_create_expiring_applications,
    rateKey: keyHash,
  };
}

/** By the clock of the service, as in the data plane. */
function isOver({ expires_at }: PrincipalRow): boolean {
  return expires_at !== null && expires_at.getTime() <= Date.now();
}

/** @throws AppError `rate_limited` */
export async function admit(
  limits: ManagementLimits | undefined,
  { tenantId, rateKey }: Pick<ManagementPrincipal, 'tenantId' | 'rateKey'>,
): Promise<void> {
  if (limits === undefined) return;
  await limits.admit('key', rateKey);
  await limits.admit('tenant', tenantId);
}

/** @throws AppError `permission_denied` */
export function requirePermission(
  principal: Principal,
  { permission, orPermission }: Pick<Route, 'permission' | 'orPermission'>,
): void {
  if (permission === 'any-key') return;
  if (orPermission !== undefined && holdsAnywhere(principal.grants, orPermission)) return;
  const required = typeof permission === 'string' ? [permission] : permission;
  const missing = required.find((one) => !holdsAnywhere(principal.grants, one));
  if (missing === undefined) return;
  throw new AppError('permission_denied', missingPermission(missing, principal));
}

async function readPrincipal(db: Queryable, keyHash: string): Promise<PrincipalRow | undefined> {
  const rows = await db.query<PrincipalRow>(
    'read-caller',
    `SELECT a.id, a.tenant_id, a.type, a.permissions, a.rules, a.can_create_expiring_applications, a.expires_at
       FROM application_keys k JOIN applications a ON (a.tenant_id, a.id) = (k.tenant_id, k.application_id)
      WHERE k.key_hash = $1`,
    [keyHash],
  );
  return rows[0];
}
