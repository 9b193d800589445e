import { missingPermission } from '@glovebox/access/missing-permission';
import { mayInvoke } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ApplicationRecord, ReactorRecord } from '@glovebox/published/records';

import { type Published, applicationOf } from './application-of.ts';
import type { Invoker } from './invoker.ts';
import { unknownReactor } from './resolve-reactor.ts';

/**
 * Whether an API key, or user code by `bt`, may invoke a reactor (contract/proxies.md#authentication-of-invocations).
 * The runner judges by itself: a tenant's code and secrets are not used because a gateway says so.
 *
 * @throws AppError `unauthenticated`; `not_found` for another tenant's key, which is not told that the reactor exists;
 * `permission_denied` without token:use anywhere
 */
export async function authorizeInvoker(
  registry: Published,
  { credential }: Pick<Invoker, 'credential'>,
  { tenantId }: Pick<ReactorRecord, 'tenantId'>,
): Promise<ApplicationRecord> {
  const application = await applicationOf(registry, credential);
  if (application === undefined) throw unauthenticated(credential);
  const { principal } = application;
  if (principal.tenantId !== tenantId) throw unknownReactor();
  if (!mayInvoke(principal.grants)) {
    throw new AppError('permission_denied', missingPermission('token:use', principal));
  }
  return application;
}

function unauthenticated(credential: Invoker['credential']): AppError {
  const text =
    typeof credential === 'string'
      ? 'The API key is not valid.'
      : 'The application that the code acts as does not exist any more.';
  return new AppError('unauthenticated', text);
}
