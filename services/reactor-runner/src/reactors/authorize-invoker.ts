import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import { holdsAnywhere } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors';
import type { ReactorRecord } from '@glovebox/published/records';
import type { Registry } from '@glovebox/published/registry';

import type { Invoker } from './invoker.ts';
import { unknownReactor } from './resolve-reactor.ts';

/**
 * Whether an API key may invoke a reactor (interface.md section 5). The runner judges by itself: a tenant's code and
 * secrets are not used because a gateway says so.
 *
 * @throws AppError `unauthenticated`; `not_found` for another tenant's key, which is not told that the reactor exists;
 * `permission_denied` without token:use anywhere
 */
export async function authorizeInvoker(
  registry: Pick<Registry, 'applicationByKeyHash'>,
  { apiKey }: Pick<Invoker, 'apiKey'>,
  { tenantId }: Pick<ReactorRecord, 'tenantId'>,
): Promise<void> {
  const application = isPlausibleApiKey(apiKey)
    ? await registry.applicationByKeyHash(hashKey(apiKey))
    : undefined;
  if (application === undefined) throw new AppError('unauthenticated', 'The API key is not valid.');
  const { principal } = application;
  if (principal.tenantId !== tenantId) throw unknownReactor();
  if (!holdsAnywhere(principal.grants, 'token:use')) {
    throw new AppError('permission_denied', 'The permission token:use is required.');
  }
}
