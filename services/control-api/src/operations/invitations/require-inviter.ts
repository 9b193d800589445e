import type { Principal } from '@glovebox/access/principal';

import type { Role } from '../../people/roles.ts';
import { requireRank } from '../people/require-rank.ts';

/**
 * Checks that the caller may give the role of an invitation. Applications that only invite have always made viewers.
 * @throws AppError `permission_denied`
 */
export function requireInviter(principal: Principal, role: Role): void {
  if (role !== 'VIEWER') requireRank(principal, role);
}
