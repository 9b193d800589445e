import type { Transacting } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Request } from 'express';

import { type SessionHolder, sessionOver } from '../../people/sessions.ts';
import { membershipsOf } from '../../people/store.ts';
import { principalOfKeyHash } from '../authenticate.ts';
import { soleHeader } from '../headers.ts';
import { requireSameTenant, sessionOf } from '../session.ts';
import type { SignInOptions } from './options.ts';

/** The holder of a request's session, with all tenants that they may be signed in to. */
export interface SignedInHolder {
  readonly holder: SessionHolder;
  /** By which the session of the request is listed. */
  readonly publicId: string;
  readonly tenantIds: readonly string[];
  /** Within the scope of these tenants. */
  readonly db: Transacting;
  /** The user, or the application of the key. */
  readonly actorId: string;
}

/**
 * Somebody who manages their own sessions (contract/people.md#your-sessions).
 * @throws AppError `permission_denied` for API keys, `unauthenticated` without a session, `conflict` as `requireSameTenant`
 */
export async function signedInHolder(
  { postgres }: Pick<SignInOptions, 'postgres'>,
  { headers }: Pick<Request, 'headers'>,
): Promise<SignedInHolder> {
  if (soleHeader(headers, 'api-key') !== undefined) {
    throw new AppError('permission_denied', 'Only somebody who is signed in has sessions.');
  }
  const across = postgres.acrossTenants('sessions of a person');
  const signedIn = await sessionOf(across, headers);
  if (signedIn === undefined) throw new AppError('unauthenticated', sessionOver);
  const { session } = signedIn;
  requireSameTenant(headers, session);
  const { holder, publicId, tenantId } = session;
  if (holder.kind === 'key') {
    const { applicationId: actorId } = await principalOfKeyHash(across, holder.keyHash, sessionOver);
    return { holder, publicId, tenantIds: [tenantId], db: postgres.forTenant(tenantId), actorId };
  }
  const memberships = await membershipsOf(across, holder.userId);
  const tenantIds = memberships.map((member) => member.tenant_id);
  return { holder, publicId, tenantIds, db: postgres.forTenants(tenantIds), actorId: holder.userId };
}
