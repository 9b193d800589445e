import { missingPermission } from '@glovebox/access/missing-permission';
import type { Principal } from '@glovebox/access/principal';
import { mayInvoke } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * @throws AppError `permission_denied` for who may use no token at all
 * (contract/proxies.md#authentication-of-invocations).
 */
export function requireUse(principal: Principal): void {
  if (mayInvoke(principal.grants)) return;
  throw new AppError('permission_denied', missingPermission('token:use', principal));
}
