import { placeOf } from '@glovebox/access/host-set';
import type { Reach } from '@glovebox/protos/vault/v1/vault';
import { reachOfCode } from '@glovebox/published/code-reach';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ReactorRecord } from '@glovebox/published/records';

import type { InvokingCode } from '../scheduling/tenant.ts';
import type { Invoker } from './invoker.ts';

type TenantLookup = Pick<PublishedRecords, 'tenantById'>;

/**
 * Everywhere that the arguments of a reactor can get to (contract/destinations.md#what-a-use-reaches): what its code and
 * the code that invokes it may reach, and where its result is sent.
 */
export async function reachOf(
  published: TenantLookup,
  { tenantId, allowedDestinations }: Pick<ReactorRecord, 'tenantId' | 'allowedDestinations'>,
  { invokedBy }: Pick<Invoker, 'invokedBy'>,
  callbackUrl: string | undefined,
): Promise<Reach> {
  const destination = callbackUrl === undefined ? '' : placeOf(new URL(callbackUrl));
  const tenant = await published.tenantById(tenantId);
  const code: string[] = [];
  let anywhere = false;
  let one: InvokingCode | undefined = { allowedDestinations, invokedBy };
  for (; one !== undefined; one = one.invokedBy) {
    const reach = reachOfCode(one.allowedDestinations, tenant);
    code.push(...reach.places);
    anywhere ||= reach.anywhere;
  }
  return { destination, code, anywhere };
}
