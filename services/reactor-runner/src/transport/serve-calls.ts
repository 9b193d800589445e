import { withFrames } from '@glovebox/platform/calls/frame-serializer';
import { type InboundCall, serveCallStream } from '@glovebox/platform/calls/server';
import { wireSize } from '@glovebox/platform/calls/wire-size';
import type { AllowTable } from '@glovebox/platform/grpc/authorize';
import {
  ExchangeRequest,
  ExchangeResponse,
  type RunnerCall,
  type RunnerReply,
  type RunnerServiceServer,
  RunnerServiceService as methods,
} from '@glovebox/protos/runner/v1/runner';

export type RunnerInbound = InboundCall<RunnerCall, RunnerReply>;

export const definition = {
  ...methods,
  exchange: withFrames(methods.exchange, ExchangeRequest, ExchangeResponse),
};

/** Which service may call which method. */
export const allowTable: AllowTable = {
  [methods.exchange.path]: ['proxy-gateway'],
  [methods.compile.path]: ['control-api'],
  [methods.try.path]: ['control-api'],
  [methods.readInvocationLog.path]: ['control-api'],
};

/** Above what one tenant may have open (MAX_CALLS_PER_TENANT), so that no tenant can block the stream for the others. */
const maxInFlight = 8192;

/** Serves the Exchange method as a stream of calls. */
export function serveCalls(
  handleFrame: (frame: readonly RunnerInbound[]) => Promise<void>,
): RunnerServiceServer['exchange'] {
  return (stream) => {
    serveCallStream<RunnerCall, RunnerReply, ExchangeRequest, ExchangeResponse>({
      stream,
      callsOf: (request) => request.calls,
      cancelledOf: (request) => request.cancelled,
      frameOf: (replies) => ({ replies }),
      errorReply: (id, value) => ({ id, outcome: { $case: 'error', value } }),
      sizeOf: wireSize,
      handleFrame,
      maxInFlight,
    });
  };
}
