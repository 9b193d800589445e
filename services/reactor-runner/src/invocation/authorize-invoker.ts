import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import { missingPermission } from '@glovebox/access/missing-permission';
import { mayInvoke } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord, ReactorRecord } from '@glovebox/published/records';

import type { Invoker } from './invoker.ts';
import { unknownReactor } from './resolve-reactor.ts';

type Credential = Invoker['credential'];
type ApplicationLookup = Pick<
  PublishedRecords,
  'applicationByKeyHash' | 'applicationById' | 'proxyByKeyHash' | 'reactorById' | 'tenantOfTrial'
>;

/**
 * Checks that an API key, or user code by `bt`, may invoke a reactor (contract/proxies.md#authentication-of-invocations). The runner does not rely on
 * the gateway for this: it guards a tenant's code and secrets itself.
 *
 * @throws AppError `unauthenticated`; `not_found` for another tenant's key, which must not learn that the reactor exists;
 * `permission_denied` without token:use anywhere
 */
export async function authorizeInvoker(
  published: ApplicationLookup,
  { credential }: Pick<Invoker, 'credential'>,
  { tenantId }: Pick<ReactorRecord, 'tenantId'>,
): Promise<ApplicationRecord> {
  const application = await applicationOf(published, credential);
  if (application === undefined) throw unauthenticated(credential);
  const { principal } = application;
  if (principal.tenantId !== tenantId) throw unknownReactor();
  if (!mayInvoke(principal.grants)) {
    throw new AppError('permission_denied', missingPermission('token:use', principal));
  }
  return application;
}

/** The application behind a credential, by the same rules as in the vault; undefined when it does not exist any more. */
async function applicationOf(
  published: ApplicationLookup,
  credential: Credential,
): Promise<ApplicationRecord | undefined> {
  if (typeof credential === 'string') {
    return isPlausibleApiKey(credential) ? published.applicationByKeyHash(hashKey(credential)) : undefined;
  }
  const { applicationId } = credential;
  const tenantId = await tenantOf(published, credential);
  const application = applicationId === '' ? undefined : await published.applicationById(applicationId);
  return application?.principal.tenantId === tenantId ? application : undefined;
}

/** Of the proxy or reactor whose code invokes, or of the trial that it is. */
async function tenantOf(
  published: ApplicationLookup,
  { owner, version, applicationId }: Delegation,
): Promise<string | undefined> {
  if (owner?.$case === 'trial') return published.tenantOfTrial(applicationId, owner.value);
  const resource =
    owner?.$case === 'proxyKeyHash'
      ? await published.proxyByKeyHash(owner.value, version)
      : await published.reactorById(owner?.value ?? '', version);
  return resource?.tenantId;
}

function unauthenticated(credential: Credential): AppError {
  const text =
    typeof credential === 'string'
      ? 'The API key is not valid.'
      : 'The application that the code acts as does not exist any more.';
  return new AppError('unauthenticated', text);
}
