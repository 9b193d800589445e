import { permissionsFor } from '@glovebox/access/permission';
import type { Principal } from '@glovebox/access/principal';
import { holdsAnywhere } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * Checks that a person holds all that an application may do to the tenant: with its key they could do it too
 * (contract/people.md#applications). What applications do with tokens does not count.
 * @throws AppError `permission_denied`
 */
export function requireHeld({ grants, isPerson }: Principal, permissions: readonly string[]): void {
  if (isPerson !== true) return;
  const missing = permissionsFor('management').find(
    (permission) => permissions.includes(permission) && !holdsAnywhere(grants, permission),
  );
  if (missing === undefined) return;
  throw new AppError('permission_denied', `The application may do more than you: ${missing}.`);
}
