import { placeOf, withPort } from '@glovebox/access/host-set';
import { type Reach, anyReach } from '@glovebox/access/rules';
import { reachOfCode } from '@glovebox/published/code-reach';

import { publishedHosts } from '../../destinations/published-hosts.ts';
import type { ProxyRow } from '../../proxies/fields.ts';
import { findProxy } from '../../proxies/store.ts';
import { findReactor } from '../../reactors/store.ts';
import type { TenantRow } from '../../tenants/fields.ts';
import { publishedPolicy } from '../../tenants/published.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccessQuestion } from './access-question.ts';

export interface UseReach {
  readonly reach: Reach;
  /** Where the request goes, as `host:port`; undefined: nowhere, or nobody knows. */
  readonly place: string | undefined;
}

/** Everywhere that the values of a use could get to (contract/destinations.md#what-a-use-reaches). @throws AppError `not_found` */
export async function reachOfUse(
  { postgres }: Pick<Dependencies, 'postgres'>,
  tenant: TenantRow,
  { destination, proxyId, reactorId }: AccessQuestion['towards'],
): Promise<UseReach> {
  if (destination !== undefined) return towardsPlace(withPort(destination));
  if (proxyId !== undefined) return reachOfProxy(await findProxy(postgres, tenant.id, proxyId), tenant);
  if (reactorId === undefined) return { reach: anyReach, place: undefined };
  const reactor = await findReactor(postgres, tenant.id, reactorId);
  return { reach: codeOf(reactor, tenant), place: undefined };
}

const towardsPlace = (place: string): UseReach => ({ reach: { anywhere: false, places: [place] }, place });

function reachOfProxy(proxy: ProxyRow, tenant: TenantRow): UseReach {
  const place = placeOf(new URL(proxy.destination_url));
  if (proxy.request_transform_code === null) return towardsPlace(place);
  const { anywhere, places } = codeOf(proxy, tenant);
  return { reach: { anywhere, places: [place, ...places] }, place };
}

function codeOf(
  { allowed_destinations }: Pick<ProxyRow, 'allowed_destinations'>,
  { egress_policy }: TenantRow,
): Reach {
  const egressPolicy = publishedPolicy(egress_policy);
  return reachOfCode(publishedHosts(allowed_destinations), egressPolicy && { egressPolicy });
}
