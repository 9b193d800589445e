import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { type SealWatch, watchSeal } from '@glovebox/vault-client/seal-watch';
import { vaultSealing } from '@glovebox/vault-client/vault-sealing';

import type { OpenClientKey } from '../destinations/destination-dispatchers.ts';

export interface ClientKeys extends AsyncDisposable {
  readonly openClientKey: OpenClientKey;
  readonly sealWatch: SealWatch;
}

/** Has the vault open client keys of proxies, and watches whether they may still be used. */
export function openClientKeys(channel: GrpcChannel, timeoutMs: number): ClientKeys {
  const sealing = vaultSealing(channel, timeoutMs, 'keeps the client key of the proxy');
  const seal = watchSeal(channel);
  return {
    sealWatch: seal.watch,
    async openClientKey({ id, tenantId, destinationTls }, correlationId) {
      const place = { tenantId, recordId: id, field: 'destination_tls.client_key' };
      const sealed = Buffer.from(destinationTls?.sealedClientKey ?? '');
      const [key] = await sealing.open([{ place, sealed }], correlationId);
      return key!;
    },
    [Symbol.asyncDispose]: () => seal[Symbol.asyncDispose](),
  };
}
