import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import { publicCallersOf } from '@glovebox/access/public-callers';
import type { RateLimits } from '@glovebox/platform/db/rate-limits';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { KeyUses } from '@glovebox/published/key-uses';
import type { PublishedRecords } from '@glovebox/published/published-records';

export interface OwnKeyContext {
  readonly published: Pick<PublishedRecords, 'applicationByKeyHash'>;
  /** The gateway's rate limits, counted together with it; undefined: no limits. */
  readonly rates: RateLimits<'key' | 'tenant'> | undefined;
  readonly keyUses: Pick<KeyUses, 'note'>;
}

/**
 * Admits a request with an API key that the code itself holds. The key must be of the code's own tenant, and counts against
 * the same rate limits as over HTTP. A key of another tenant is refused like an unknown one.
 *
 * @throws AppError `unauthenticated`, `rate_limited`
 */
export async function admitOwnKey(
  { published, rates, keyUses }: OwnKeyContext,
  apiKey: string,
  tenantId: string,
): Promise<void> {
  const hash = hashKey(apiKey);
  const application = isPlausibleApiKey(apiKey) ? await published.applicationByKeyHash(hash) : undefined;
  if (application?.principal.tenantId !== tenantId) {
    throw new AppError('unauthenticated', 'The API key is not valid.');
  }
  keyUses.note(tenantId, hash);
  // The gateway counts each visitor of a public application; all code together counts as one more visitor.
  const isPublic = application.principal.applicationType === 'public';
  await rates?.admit('key', isPublic ? `${hash} bt` : hash);
  await rates?.admit('tenant', isPublic ? publicCallersOf(tenantId) : tenantId);
}
