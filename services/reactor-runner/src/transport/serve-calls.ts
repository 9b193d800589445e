import { type InboundCall, serveCallStream } from '@glovebox/platform/calls/server';
import { wireSize } from '@glovebox/platform/calls/wire-size';
import type {
  ExchangeRequest,
  ExchangeResponse,
  RunnerCall,
  RunnerReply,
  RunnerServiceServer,
} from '@glovebox/protos/runner/v1/runner';

export type RunnerInbound = InboundCall<RunnerCall, RunnerReply>;

/** Above what one tenant may have open (MAX_CALLS_PER_TENANT), so that none can stop the stream for the others. */
const maxInFlight = 8192;

/** Binds the Exchange method to the protocol of call streams. */
export function serveExchange(
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
