import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import type { RateLimits } from '@glovebox/platform/db/rate-limits';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { PublishedRecords } from '@glovebox/published/published-records';

export interface OwnKeyContext {
  readonly registry: Pick<PublishedRecords, 'applicationByKeyHash'>;
  /** Those of the gateway, counted together with it; undefined: there are none. */
  readonly rates: RateLimits<'key' | 'tenant'> | undefined;
}

/**
 * Whether code may call with an API key that it has itself: with one of its own tenant's, and as often as with the same key over
 * HTTP. Of another tenant's it is not told that there is such a key.
 *
 * @throws AppError `unauthenticated`, `rate_limited`
 */
export async function admitOwnKey(
  { registry, rates }: OwnKeyContext,
  apiKey: string,
  tenantId: string,
): Promise<void> {
  const hash = hashKey(apiKey);
  const application = isPlausibleApiKey(apiKey) ? await registry.applicationByKeyHash(hash) : undefined;
  if (application?.principal.tenantId !== tenantId) {
    throw new AppError('unauthenticated', 'The API key is not valid.');
  }
  // Visitors of a public application count one by one at the gateway; all code together is one more of them.
  const isPublic = application.principal.applicationType === 'public';
  await rates?.admit('key', isPublic ? `${hash} bt` : hash);
  await rates?.admit('tenant', isPublic ? `${tenantId} strangers` : tenantId);
}
