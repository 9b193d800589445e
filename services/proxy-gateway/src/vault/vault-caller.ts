import { clientAddress } from '@glovebox/platform/http/client-address';
import { replayHeader } from '@glovebox/platform/http/idempotency-key';
import { unselectedPath } from '@glovebox/platform/http/warnings';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import { type Exchange, clientGoneSignal } from '../http/exchange.ts';

/** The vault gets the very key that the request brought, and authorizes it by itself. */
export function vaultCaller(exchange: Exchange, apiKey: string): VaultCaller {
  const { trace, correlationId, request, response, stages, trustedHops } = exchange;
  stages.enter('vault');
  return {
    credential: apiKey,
    trace,
    correlationId,
    clientAddress: clientAddress(request, trustedHops),
    signal: clientGoneSignal(response),
  };
}

/** For a change: the vault makes it once for each idempotency key. */
export function vaultWriter(exchange: Exchange, apiKey: string): VaultCaller {
  return {
    ...vaultCaller(exchange, apiKey),
    idempotencyKey: exchange.headers.idempotencyKey,
    onReplay: () => exchange.response.setHeader(replayHeader, 'true'),
  };
}

/** Warns of paths of the filter `json` that select nothing; throws `strict` for a caller who is strict. */
export function warnOfPaths({ warnings }: Exchange): (paths: readonly string[]) => void {
  return (paths) => warnings.add(paths.map(unselectedPath));
}
