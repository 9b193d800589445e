import { CallStreamClient } from '@glovebox/platform/calls/client';
import { withFrames } from '@glovebox/platform/calls/frame-serializer';
import { observeOpenCalls, observeStream } from '@glovebox/platform/calls/metrics';
import { wireSize } from '@glovebox/platform/calls/wire-size';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { ExchangeRequest, ExchangeResponse, VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import { VaultClient, type VaultStream } from './vault-client.ts';

export interface VaultConnectionOptions {
  /** Not closed with the connection. */
  readonly channel: GrpcChannel;
  readonly timeoutMs: number;
  readonly maxOpenCalls: number;
  readonly metrics: MetricsRegistry;
}

export interface VaultConnection extends AsyncDisposable {
  readonly client: VaultClient;
  /** Whether there is a stream to a vault. */
  isReady(): boolean;
}

const exchange = withFrames(VaultServiceService.exchange, ExchangeRequest, ExchangeResponse);

/** Keeps a stream to each vault open (docs/architecture.md#how-the-services-talk). */
export function connectVault(options: VaultConnectionOptions): VaultConnection {
  const { channel, timeoutMs, maxOpenCalls, metrics } = options;
  const stream: VaultStream = new CallStreamClient({
    openStream: (peer) => channel.stream(exchange, peer),
    peers: channel,
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: wireSize,
    maxOpenCalls,
    observer: observeStream('vault', metrics),
  });
  observeOpenCalls('vault', stream, metrics);
  return {
    client: new VaultClient(stream, timeoutMs),
    isReady: () => stream.connected,
    [Symbol.asyncDispose]: () => stream.close(Date.now() + timeoutMs),
  };
}
