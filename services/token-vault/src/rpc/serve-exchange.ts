import { type InboundCall, serveCallStream } from '@glovebox/platform/call-stream-server';
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
      sizeOf,
      handleFrame,
    });
  };
}

const fixedBytes = 16;

function sizeOf({ outcome }: VaultReply): number {
  switch (outcome?.$case) {
    case 'detokenized':
      return outcome.value.values.reduce((sum, value) => sum + Buffer.byteLength(value) + 4, fixedBytes);
    case 'token':
    case 'page':
    case 'tokenized':
    case 'session':
      return outcome.value.json.length + fixedBytes;
    case 'answer':
      return outcome.value.value.length + fixedBytes;
    case 'error':
      return JSON.stringify(outcome.value).length + fixedBytes;
    default:
      return fixedBytes;
  }
}
