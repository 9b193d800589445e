import { CallStreamClient } from '@glovebox/platform/call-stream-client';
import { observeOpenCalls, observeStream } from '@glovebox/platform/call-stream-metrics';
import { createGrpcChannel } from '@glovebox/platform/grpc-client';
import type { Registry } from '@glovebox/platform/metrics';
import { RunnerServiceService } from '@glovebox/protos/runner/v1/runner';

import type { GatewayConfig } from '../config.ts';
import { RunnerClient, type RunnerStream } from './runner-client.ts';

export interface RunnerConnection extends AsyncDisposable {
  readonly client: RunnerClient;
}

/** The one stream to the runner. Requests that nothing transforms do not need it, so readiness does not ask for it. */
export function connectRunner(config: GatewayConfig, metrics: Registry): RunnerConnection {
  const channel = createGrpcChannel({ address: config.runnerAddress, token: config.serviceToken });
  const { runnerTimeoutMs, maxCallsInFlight } = config.limits;
  const stream: RunnerStream = new CallStreamClient({
    openStream: () => channel.stream(RunnerServiceService.exchange),
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: ({ operation }) => 200 + (operation?.$case === 'runTransform' ? operation.value.args.length : 0),
    maxOpenCalls: maxCallsInFlight,
    observer: observeStream('runner', metrics),
  });
  observeOpenCalls('runner', stream, metrics);
  return {
    client: new RunnerClient(stream, runnerTimeoutMs),
    async [Symbol.asyncDispose]() {
      await stream.close(Date.now() + config.shutdownTimeoutMs);
      channel.close();
    },
  };
}
