import { type MaybePromise, andThen } from '@glovebox/platform/maybe-promise';
import type { RateLimits } from '@glovebox/platform/rate-limits';

import { clientAddress } from '../http/client-address.ts';
import type { Exchange } from '../http/exchange.ts';

/** How many requests in one window: of one API key, of one tenant, of one address to one proxy without a key. */
export interface EdgeLimits {
  readonly rates: RateLimits<'key' | 'tenant' | 'anonymous'>;
  readonly trustedHops: number;
}

/** @throws AppError `rate_limited` */
export function admitCaller({ rates }: EdgeLimits, keyHash: string, tenantId: string): MaybePromise<void> {
  return andThen(rates.admit('key', keyHash), () => rates.admit('tenant', tenantId));
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
    rates.admit('tenant', proxy.tenantId),
  );
  return andThen(admitted, () => undefined);
}
