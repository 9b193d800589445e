import { CallStreamClient } from '@glovebox/platform/calls/client';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  type RunnerCall,
  type RunnerReply,
  RunnerServiceService,
  TransformSide,
} from '@glovebox/protos/runner/v1/runner';

export interface GatewaySide extends AsyncDisposable {
  /** Runs a proxy's request transform once; gives the length of the result. @throws Error when it is no result. */
  call(proxyKeyHash: string, args: Buffer): Promise<number>;
}

/** About what a call takes; it only matters when much of it waits. */
const callBytes = 1500;

const side = TransformSide.TRANSFORM_SIDE_REQUEST;
const message = { hasBody: true, contentType: 'application/json', maxHeaderBytes: 32_768, status: 0 };

/** Calls the runner as the gateway does. */
export function connectToRunner(port: number, token: string): GatewaySide {
  const channel = createGrpcChannel({ address: `127.0.0.1:${port}`, token: new Secret(token) });
  const client = new CallStreamClient<RunnerCall, RunnerReply, ExchangeRequest, ExchangeResponse>({
    openStream: () => channel.stream(RunnerServiceService.exchange),
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: () => callBytes,
  });
  return {
    async call(proxyKeyHash, args) {
      const { outcome } = await client.call(
        {
          traceparent: '',
          correlationId: '',
          operation: {
            $case: 'runTransform',
            value: { proxyKeyHash, proxyVersion: 1, side, args, anonymous: false, message },
          },
        },
        { deadline: Date.now() + 10_000 },
      );
      if (outcome?.$case === 'returned') return outcome.value.result.length;
      throw new Error(`the runner answered ${JSON.stringify(outcome)}`);
    },
    async [Symbol.asyncDispose]() {
      await client.close(Date.now() + 1000);
      channel.close();
    },
  };
}
