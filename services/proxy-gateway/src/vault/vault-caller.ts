import { replayHeader } from '@glovebox/platform/http/idempotency-key';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import { clientGoneSignal } from '../http/client-gone.ts';
import type { Exchange } from '../http/exchange.ts';

/** The vault is asked with the very key that the request brought: it decides by itself what that may do. */
export function vaultCaller(exchange: Exchange, apiKey: string): VaultCaller {
  const { trace, correlationId, response, stages } = exchange;
  stages.enter('vault');
  return { credential: apiKey, trace, correlationId, signal: clientGoneSignal(response) };
}

/** The same for what makes or changes something: the vault does it once for each idempotency key. */
export function vaultWriter(exchange: Exchange, apiKey: string): VaultCaller {
  return {
    ...vaultCaller(exchange, apiKey),
    idempotencyKey: exchange.headers.idempotencyKey,
    onReplay: () => exchange.response.setHeader(replayHeader, 'true'),
  };
}
