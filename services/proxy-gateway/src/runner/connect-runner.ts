import { CallStreamClient } from '@glovebox/platform/calls/client';
import { withFrames } from '@glovebox/platform/calls/frame-serializer';
import { observeOpenCalls, observeStream } from '@glovebox/platform/calls/metrics';
import { wireSize } from '@glovebox/platform/calls/wire-size';
import type { Certificates } from '@glovebox/platform/grpc/certificates';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { Secret } from '@glovebox/platform/values/secret';
import { ExchangeRequest, ExchangeResponse, RunnerServiceService } from '@glovebox/protos/runner/v1/runner';

import { RunnerClient, type RunnerStream } from './runner-client.ts';

interface RunnerConfig {
  readonly runnerAddress: string;
  readonly serviceToken: Secret<string>;
  readonly limits: { readonly runnerTimeoutMs: number; readonly maxCallsInFlight: number };
  readonly shutdownTimeoutMs: number;
}

export interface RunnerConnection extends AsyncDisposable {
  readonly client: RunnerClient;
  /** Whether there is a stream to a runner. */
  isReady(): boolean;
}

const callStream = withFrames(RunnerServiceService.exchange, ExchangeRequest, ExchangeResponse);

/** A stream to each runner. Requests that run no code do not need it, so readiness does not ask for it. */
export function connectRunner(
  config: RunnerConfig,
  certificates: Certificates | undefined,
  metrics: MetricsRegistry,
): RunnerConnection {
  const channel = createGrpcChannel({
    address: config.runnerAddress,
    token: config.serviceToken,
    tls: { peer: 'reactor-runner', certificates },
  });
  const { runnerTimeoutMs, maxCallsInFlight } = config.limits;
  const stream: RunnerStream = new CallStreamClient({
    openStream: (peer) => channel.stream(callStream, peer),
    peers: channel,
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: wireSize,
    maxOpenCalls: maxCallsInFlight,
    observer: observeStream('runner', metrics),
  });
  observeOpenCalls('runner', stream, metrics);
  return {
    client: new RunnerClient(stream, runnerTimeoutMs),
    isReady: () => stream.connected,
    async [Symbol.asyncDispose]() {
      await stream.close(Date.now() + config.shutdownTimeoutMs);
      channel.close();
    },
  };
}
