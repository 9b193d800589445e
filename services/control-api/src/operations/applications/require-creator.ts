import { findExcess } from '@glovebox/access/find-excess';
import type { Principal } from '@glovebox/access/principal';
import { compileGrants, holdsAnywhere } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { countMade } from '../../applications/expiring-store.ts';
import type { ApplicationInput } from '../../applications/new-application.ts';
import { holdApplication } from '../../applications/store.ts';
import type { ExpiringLimits } from '../../limits/input-limits.ts';
import { sessionOver } from '../../people/sessions.ts';
import { lockMember } from '../../people/store.ts';

/**
 * Checks that the caller may create this expiring application, by its stored grants, which are locked until the
 * transaction ends. Without application:create it can grant only what it holds itself
 * (contract/tenants.md#expiring-applications), as with a session.
 */
export async function requireCreator(
  tx: Queryable,
  principal: Principal,
  wanted: Pick<ApplicationInput, 'permissions' | 'rules'>,
  { perCreator }: ExpiringLimits,
): Promise<void> {
  if (principal.isPerson === true) await holdPerson(tx, principal);
  else await requireCreatingApplication(tx, principal, wanted);
  if ((await countMade(tx, principal.applicationId)) >= perCreator) {
    throw new AppError('rate_limited', 'Too many expiring applications of the application are live.');
  }
}

/** The role has been asked already, and has application:create. */
async function holdPerson(tx: Queryable, { tenantId, applicationId }: Principal): Promise<void> {
  if ((await lockMember(tx, tenantId, applicationId)) !== undefined) return;
  throw new AppError('unauthenticated', sessionOver);
}

async function requireCreatingApplication(
  tx: Queryable,
  { tenantId, applicationId }: Principal,
  wanted: Pick<ApplicationInput, 'permissions' | 'rules'>,
): Promise<void> {
  const creator = await holdApplication(tx, tenantId, applicationId);
  if (creator === undefined) throw new AppError('unauthenticated', 'The API key is not valid.');
  const held = compileGrants(creator.permissions, creator.rules);
  if (!holdsAnywhere(held, 'application:create')) {
    if (!creator.can_create_expiring_applications) {
      throw new AppError('permission_denied', 'The permission application:create is required.');
    }
    const errors = findExcess(wanted, held);
    if (Object.keys(errors).length > 0) throw new AppError('permission_denied', tooMuch, { errors });
  }
}

const tooMuch = 'An application can give an expiring one no more than it holds itself.';
