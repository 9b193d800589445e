import { type InboundCall, serveCallStream } from '@glovebox/platform/calls/server';
import { wireSize } from '@glovebox/platform/calls/wire-size';
import type {
  ExchangeRequest,
  ExchangeResponse,
  VaultCall,
  VaultReply,
  VaultServiceServer,
} from '@glovebox/protos/vault/v1/vault';

type HandleFrame = (frame: readonly InboundCall<VaultCall, VaultReply>[], peer: string) => Promise<void>;

/** Binds the Exchange method to the protocol of call streams. */
export function serveExchange(handleFrame: HandleFrame): VaultServiceServer['exchange'] {
  return (stream) => {
    serveCallStream<VaultCall, VaultReply, ExchangeRequest, ExchangeResponse>({
      stream,
      callsOf: (request) => request.calls,
      cancelledOf: (request) => request.cancelled,
      frameOf: (replies) => ({ replies }),
      errorReply: (id, value) => ({ id, outcome: { $case: 'error', value }, replayed: false }),
      sizeOf: wireSize,
      handleFrame,
    });
  };
}
