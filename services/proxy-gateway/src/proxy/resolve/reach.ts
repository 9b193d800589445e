import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { Reach } from '@glovebox/protos/vault/v1/vault';
import { reachOfCode } from '@glovebox/published/code-reach';
import type { PublishedRecords } from '@glovebox/published/published-records';

import { type ProxyInvocation, stepsOf } from './proxy-invocation.ts';

interface ReachDependencies {
  readonly published: Pick<PublishedRecords, 'tenantById'>;
}

/** A value that is made a token again stays inside. */
export const inside: Reach = { destination: '', code: [], anywhere: false };
/** A value in an answer may get anywhere. */
export const toCaller: Reach = { destination: '', code: [], anywhere: true };

const noCode: string[] = [];

/**
 * Everywhere that the values of a request can get to (contract/destinations.md#what-a-use-reaches): its destination,
 * and what the code of a request transform may reach.
 */
export function reachOf(
  { proxy }: Pick<ProxyInvocation, 'proxy'>,
  { place: destination }: { readonly place: string },
  { published }: ReachDependencies,
): MaybePromise<Reach> {
  if (!stepsOf(proxy, 'request').some(({ type }) => type === 'code')) {
    return { destination, code: noCode, anywhere: false };
  }
  return andThen(published.tenantById(proxy.tenantId), (tenant) => {
    const { places, anywhere } = reachOfCode(proxy.allowedDestinations, tenant);
    return { destination, code: [...places], anywhere };
  });
}
