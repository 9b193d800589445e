import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import type { Principal } from '@glovebox/access/principal';
import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { VaultCall } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord } from '@glovebox/published/records';

import { isUuid } from '../values/uuid.ts';
import type { NamedApplications } from './named-applications.ts';

/**
 * Resolves the caller's permissions from published records; synchronously when they are cached.
 * @throws AppError `unauthenticated`; `permission_denied` for a delegation from a peer that may not delegate;
 *   `unavailable` when the records cannot be read
 */
export function identifyCaller(
  { registry, named }: { readonly registry: PublishedRecords; readonly named: NamedApplications },
  { apiKey, delegation }: Pick<VaultCall, 'apiKey' | 'delegation'>,
  peer: string,
): MaybePromise<Principal> {
  if (delegation !== undefined) return andThen(named.resolve(delegation, peer), principalOf);
  if (!isPlausibleApiKey(apiKey)) throw unauthenticated();
  return andThen(registry.applicationByKeyHash(hashKey(apiKey)), principalOf);
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
