import type { Principal } from '@glovebox/access/principal';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';

import { clientAddress } from '../http/client-address.ts';
import type { Exchange } from '../http/exchange.ts';

/**
 * The key of a public application is in every browser: there it counts for each address by itself, so that one visitor
 * does not keep out the others.
 *
 * @throws AppError `rate_limited`
 */
export function admitCaller(
  { request, limits }: Exchange,
  keyHash: string,
  { tenantId, applicationType }: Principal,
): MaybePromise<void> {
  if (limits === undefined) return undefined;
  const { rates, trustedHops } = limits;
  if (applicationType !== 'public') {
    return andThen(rates.admit('key', keyHash), () => rates.admit('tenant', tenantId));
  }
  const visitor = `${keyHash} ${clientAddress(request, trustedHops)}`;
  return andThen(rates.admit('key', visitor), () => rates.admit('tenant', strangersOf(tenantId)));
}

/** @throws AppError `rate_limited` */
export function admitAnonymous(
  { request, limits }: Exchange,
  proxy: { readonly id: string; readonly tenantId: string },
): MaybePromise<undefined> {
  if (limits === undefined) return undefined;
  const { rates, trustedHops } = limits;
  const address = clientAddress(request, trustedHops);
  const admitted = andThen(rates.admit('anonymous', `${proxy.id} ${address}`), () =>
    rates.admit('tenant', strangersOf(proxy.tenantId)),
  );
  return andThen(admitted, () => undefined);
}

/**
 * Requests that anybody can send have an allowance of their own, so that they never use up that of the tenant's
 * services.
 */
function strangersOf(tenantId: string): string {
  return `${tenantId} strangers`;
}
