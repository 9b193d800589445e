import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord } from '@glovebox/published/records';

/** What of the published configuration says who somebody is. */
export type Published = Pick<
  PublishedRecords,
  'applicationByKeyHash' | 'applicationById' | 'proxyByKeyHash' | 'reactorById'
>;

/** The application that a credential stands for, as the vault sees it too; undefined when there is none any more. */
export async function applicationOf(
  registry: Published,
  credential: string | Delegation,
): Promise<ApplicationRecord | undefined> {
  if (typeof credential === 'string') {
    return isPlausibleApiKey(credential) ? registry.applicationByKeyHash(hashKey(credential)) : undefined;
  }
  const { owner, version, applicationId } = credential;
  const resource =
    owner?.$case === 'proxyKeyHash'
      ? await registry.proxyByKeyHash(owner.value, version)
      : await registry.reactorById(owner?.value ?? '', version);
  const application = applicationId === '' ? undefined : await registry.applicationById(applicationId);
  return application?.principal.tenantId === resource?.tenantId ? application : undefined;
}
