import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import { clientGoneSignal } from '../http/client-gone.ts';
import type { Exchange } from '../http/exchange.ts';

/** The vault is asked with the very key that the request brought: it decides by itself what that may do. */
export function vaultCaller({ trace, correlationId, response }: Exchange, apiKey: string): VaultCaller {
  return { credential: apiKey, trace, correlationId, signal: clientGoneSignal(response) };
}
