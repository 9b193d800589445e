import { isTokenPermission } from '@glovebox/access/permission';
import type { Principal } from '@glovebox/access/principal';
import { holdsAnywhere } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';

import { type Role, permissionsOf } from '../../people/roles.ts';

/**
 * Checks that the caller may itself do all that a role may: no person gives more than they have, or decides on a person who
 * may do more.
 * @throws AppError `permission_denied`
 */
export function requireRank({ grants, isPerson }: Principal, role: Role): void {
  const missing = permissionsOf(role)
    // Management applications hold none over tokens, and make the applications that do.
    .filter((permission) => isPerson === true || !isTokenPermission(permission))
    .find((permission) => !holdsAnywhere(grants, permission));
  if (missing === undefined) return;
  throw new AppError('permission_denied', `The role ${role} may do more than you: ${missing}.`);
}
