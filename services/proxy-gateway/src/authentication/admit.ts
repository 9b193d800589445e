import type { Principal } from '@glovebox/access/principal';
import { publicCallersOf } from '@glovebox/access/public-callers';
import { AppError } from '@glovebox/platform/errors/app-error';
import { clientAddress, clientNetwork } from '@glovebox/platform/http/client-address';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';

import type { Exchange } from '../http/exchange.ts';

/** What the gateway does for a usual request takes about so long, in milliseconds. */
const requestMs = 0.05;

/** In milliseconds. A tenant whose requests wait longer to be begun sends more than its share of the gateway. */
const mostWaitMs = 1000;

/**
 * Waits until it is the tenant's turn to have one more of its requests begun.
 * @returns undefined: it is now
 * @throws AppError `rate_limited` when the tenant's requests have waited for long already
 */
export function waitForTurn({ turns }: Exchange, tenantId: string): Promise<void> | undefined {
  if (turns.waitOf(tenantId) > mostWaitMs) {
    throw new AppError('rate_limited', 'Too many requests of this tenant are waiting already.', {
      retryAfterSeconds: 1,
      fixed: true,
    });
  }
  return turns.take(tenantId, requestMs);
}

/**
 * The key of a public application is in every browser: there it counts for each address by itself, so that one visitor
 * does not keep out the others.
 *
 * @throws AppError `rate_limited`
 */
export function admitCaller(
  { request, rates, trustedHops }: Exchange,
  keyHash: string,
  { tenantId, applicationType }: Principal,
): MaybePromise<void> {
  if (rates === undefined) return undefined;
  if (applicationType !== 'public') {
    return andThen(rates.admit('key', keyHash), () => rates.admit('tenant', tenantId));
  }
  const visitor = `${keyHash} ${clientNetwork(clientAddress(request, trustedHops))}`;
  return andThen(rates.admit('key', visitor), () => rates.admit('tenant', publicCallersOf(tenantId)));
}

/** @throws AppError `rate_limited` */
export function admitAnonymous(
  { request, rates, trustedHops }: Exchange,
  proxy: { readonly id: string; readonly tenantId: string },
): MaybePromise<undefined> {
  if (rates === undefined) return undefined;
  const address = clientNetwork(clientAddress(request, trustedHops));
  const admitted = andThen(rates.admit('anonymous', `${proxy.id} ${address}`), () =>
    rates.admit('tenant', publicCallersOf(proxy.tenantId)),
  );
  return andThen(admitted, () => undefined);
}
