import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import type { Principal } from '@glovebox/access/principal';
import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { Delegation, VaultCall } from '@glovebox/protos/vault/v1/vault';
import {
  proxyRecord,
  proxyRolloutRecord,
  reactorRecord,
  reactorRolloutRecord,
} from '@glovebox/published/keys';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord } from '@glovebox/published/records';

import { isUuid } from '../values/uuid.ts';
import { withOriginLimits } from './origin-limits.ts';

/**
 * Resolves the caller's permissions from published records; synchronously when they are cached.
 * @throws AppError `unauthenticated`; `permission_denied` for a delegation from a peer that may not delegate;
 *   `unavailable` when the records cannot be read
 */
export function identifyCaller(
  published: PublishedRecords,
  { apiKey, delegation }: Pick<VaultCall, 'apiKey' | 'delegation'>,
  peer: string,
): MaybePromise<Principal> {
  const known = (record: ApplicationRecord | undefined) => principalOf(published, record);
  if (delegation !== undefined) return andThen(resolveDelegation(published, delegation, peer), known);
  if (!isPlausibleApiKey(apiKey)) throw unauthenticated();
  return andThen(published.applicationByKeyHash(hashKey(apiKey)), known);
}

function principalOf(
  published: PublishedRecords,
  record: ApplicationRecord | undefined,
): MaybePromise<Principal> {
  if (record === undefined) throw unauthenticated();
  const { principal } = record;
  if (isUuid(principal.tenantId) && isUuid(principal.applicationId)) {
    return withOriginLimits(published, record);
  }
  throw new AppError('unavailable', 'The published configuration cannot be read right now.', {
    cause: new Error('a published application has ids that are not UUIDs'),
  });
}

function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'The API key is missing or not valid.');
}

/**
 * The application of the version that the code belongs to, even if a newer version is published. The runner says only which
 * proxy or reactor its code belongs to: it can act only as an application that this one names, or has named lately.
 */
async function resolveDelegation(
  published: PublishedRecords,
  { owner, version, applicationId }: Delegation,
  peer: string,
): Promise<ApplicationRecord> {
  if (peer !== 'reactor-runner') {
    throw new AppError(
      'permission_denied',
      'Only user code may act as the application of a proxy or reactor.',
    );
  }
  if (owner?.$case === 'trial') return ofTrial(published, applicationId, owner.value);
  const resource =
    owner?.$case === 'proxyKeyHash'
      ? await published.proxyByKeyHash(owner.value, version)
      : await published.reactorById(owner?.value ?? '', version);
  const id =
    resource === undefined ? '' : await actingId(published, owner, applicationId, resource.applicationId);
  const application = id === '' ? undefined : await published.applicationById(id);
  if (application === undefined || application.principal.tenantId !== resource?.tenantId) {
    throw noApplication();
  }
  return application;
}

function noApplication(): AppError {
  return new AppError('unauthenticated', 'The application that the code acts as does not exist any more.');
}

/** The application for which control-api has signed a trial of code that belongs to no proxy or reactor. */
async function ofTrial(
  published: PublishedRecords,
  applicationId: string,
  trial: string,
): Promise<ApplicationRecord> {
  const tenantId = await published.tenantOfTrial(applicationId, trial);
  const application = tenantId === undefined ? undefined : await published.applicationById(applicationId);
  if (application === undefined || application.principal.tenantId !== tenantId) throw noApplication();
  return application;
}

type ResourceOwner = Exclude<NonNullable<Delegation['owner']>, { $case: 'trial' }>;

/** @param named by the published version. @returns empty for none */
async function actingId(
  published: PublishedRecords,
  owner: ResourceOwner | undefined,
  applicationId: string,
  named: string,
): Promise<string> {
  // Earlier runners send no application.
  if (applicationId === '' || applicationId === named || owner === undefined) return named;
  const names =
    owner.$case === 'proxyKeyHash'
      ? [proxyRecord(owner.value), proxyRolloutRecord(owner.value)]
      : [reactorRecord(owner.value), reactorRolloutRecord(owner.value)];
  const former = await Promise.all(names.map((name) => published.namedUntilLately(name, applicationId)));
  return former.includes(true) ? applicationId : '';
}
