import { CallStreamClient } from '@glovebox/platform/call-stream-client';
import { createGrpcChannel } from '@glovebox/platform/grpc-client';
import type { Registry } from '@glovebox/platform/metrics';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { GatewayConfig } from '../config.ts';
import { observeOpenCalls, observeStream } from '../peers/observe-stream.ts';
import { VaultClient, type VaultStream } from './vault-client.ts';

export interface VaultConnection extends AsyncDisposable {
  readonly client: VaultClient;
  isReady(): boolean;
}

/** The one stream to the vault (design.md, "Speed is designed in"), opened at once and again whenever it breaks. */
export function connectVault(config: GatewayConfig, metrics: Registry): VaultConnection {
  const channel = createGrpcChannel({ address: config.vaultAddress, token: config.serviceToken });
  const { vaultTimeoutMs, maxCallsInFlight } = config.limits;
  const stream: VaultStream = new CallStreamClient({
    openStream: () => channel.stream(VaultServiceService.exchange),
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: ({ apiKey, operation }) => 100 + apiKey.length + sizeOf(operation),
    maxOpenCalls: maxCallsInFlight,
    observer: observeStream('vault', metrics),
  });
  observeOpenCalls('vault', stream, metrics);
  return {
    client: new VaultClient(stream, vaultTimeoutMs),
    isReady: () => stream.connected,
    async [Symbol.asyncDispose]() {
      await stream.close(Date.now() + vaultTimeoutMs);
      channel.close();
    },
  };
}

function sizeOf(operation: Parameters<VaultStream['call']>[0]['operation']): number {
  switch (operation?.$case) {
    case 'createToken':
    case 'tokenize':
      return operation.value.body.byteLength;
    case 'detokenize':
      return operation.value.expressions.reduce((sum, expression) => sum + expression.length, 0);
    default:
      return 400;
  }
}
