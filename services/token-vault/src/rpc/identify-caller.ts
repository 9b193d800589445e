import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import type { Principal } from '@glovebox/access/principal';
import { AppError } from '@glovebox/platform/errors';
import type { ApplicationRecord } from '@glovebox/published/records';
import type { Registry } from '@glovebox/published/registry';

import { isUuid } from '../uuid.ts';

/**
 * Who holds an API key, by what is published: at once when it is at hand.
 * @throws AppError `unauthenticated`, or `unavailable` when nothing can be said.
 */
export function identifyCaller(registry: Registry, apiKey: string): Principal | Promise<Principal> {
  if (!isPlausibleApiKey(apiKey)) throw unauthenticated();
  const record = registry.applicationByKeyHash(hashKey(apiKey));
  return record instanceof Promise ? record.then(principalOf) : principalOf(record);
}

function principalOf(record: ApplicationRecord | undefined): Principal {
  if (record === undefined) throw unauthenticated();
  const { principal } = record;
  if (isUuid(principal.tenantId) && isUuid(principal.applicationId)) return principal;
  throw new AppError('unavailable', 'The published configuration cannot be read right now.', {
    cause: new Error('an application was published whose ids are no UUIDs'),
  });
}

function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'The API key is missing or not valid.');
}
