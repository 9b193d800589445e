import { placeOf, withPort } from '@glovebox/access/host-set';
import { type Reach, anyReach } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';
import type { EgressPolicy } from '@glovebox/protos/published/v1/published';
import { reachOfCode } from '@glovebox/published/code-reach';

import { publishedHosts } from '../../destinations/published-hosts.ts';
import { type ProxyRow, proxyFields } from '../../proxies/fields.ts';
import { proxyRollouts } from '../../proxies/rollouts.ts';
import { findProxy } from '../../proxies/store.ts';
import { proxyVersions } from '../../proxies/versions.ts';
import { type ReactorRow, reactorFields } from '../../reactors/fields.ts';
import { reactorRollouts } from '../../reactors/rollouts.ts';
import { findReactor } from '../../reactors/store.ts';
import { reactorVersions } from '../../reactors/versions.ts';
import { type SecondVersion, findSecondVersion } from '../../rollouts/second-version.ts';
import { readDefinition } from '../../versions/definition.ts';
import type { AccessQuestion } from './access-question.ts';

export interface UseReach {
  readonly reach: Reach;
  /** The destination of the request, as `host:port`; absent: none, or unknown. */
  readonly place?: string;
  /** Of a proxy or reactor that serves two versions: the one that is meant. */
  readonly version?: number;
}

/** Whose proxy or reactor it is, and what the tenant lets code reach; without a policy, anything. */
interface Context {
  readonly db: Queryable;
  readonly tenantId: string;
  readonly egressPolicy: EgressPolicy | undefined;
}

type Reaching = Pick<ProxyRow, 'destination_url' | 'request_transform_code' | 'allowed_destinations'>;

/**
 * Everywhere that the values of a use could get to (contract/destinations.md#what-a-use-reaches). While a rollout serves two versions it
 * is one for each, the present one first.
 * @throws AppError `not_found`
 */
export async function reachesOfUse(
  context: Context,
  { destination, proxyId, reactorId }: AccessQuestion['towards'],
): Promise<readonly [UseReach, ...UseReach[]]> {
  if (destination !== undefined) return [towardsPlace(withPort(destination))];
  if (proxyId !== undefined) return reachesOfProxy(context, proxyId);
  if (reactorId !== undefined) return reachesOfReactor(context, reactorId);
  return [{ reach: anyReach }];
}

const towardsPlace = (place: string): UseReach => ({ reach: { anywhere: false, places: [place] }, place });

async function reachesOfProxy(context: Context, id: string): Promise<readonly [UseReach, ...UseReach[]]> {
  const { db, tenantId } = context;
  const present = reachOfProxy(context, await findProxy(db, tenantId, id));
  const tables = { rollouts: proxyRollouts, versions: proxyVersions };
  const second = await findSecondVersion(tables, db, tenantId, id);
  return both(present, second, (definition) =>
    reachOfProxy(context, readDefinition(proxyFields, definition)),
  );
}

async function reachesOfReactor(context: Context, id: string): Promise<readonly [UseReach, ...UseReach[]]> {
  const { db, tenantId } = context;
  const present = { reach: codeOf(context, await findReactor(db, tenantId, id)) };
  const tables = { rollouts: reactorRollouts, versions: reactorVersions };
  const second = await findSecondVersion(tables, db, tenantId, id);
  return both(present, second, (definition) => ({
    reach: codeOf(context, readDefinition(reactorFields, definition)),
  }));
}

function both(
  present: UseReach,
  second: SecondVersion | undefined,
  reachOf: (definition: SecondVersion['definition']) => UseReach,
): readonly [UseReach, ...UseReach[]] {
  if (second === undefined) return [present];
  const { version, definition } = second;
  return [
    { ...present, version: second.present },
    { ...reachOf(definition), version },
  ];
}

function reachOfProxy(context: Context, proxy: Reaching): UseReach {
  const place = placeOf(new URL(proxy.destination_url));
  if (proxy.request_transform_code === null) return towardsPlace(place);
  const { anywhere, places } = codeOf(context, proxy);
  return { reach: { anywhere, places: [place, ...places] }, place };
}

function codeOf(
  { egressPolicy }: Context,
  { allowed_destinations }: Pick<ReactorRow, 'allowed_destinations'>,
): Reach {
  return reachOfCode(publishedHosts(allowed_destinations), egressPolicy && { egressPolicy });
}
