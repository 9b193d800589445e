import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { vaultSealing } from '@glovebox/vault-client/vault-sealing';

import type { RequestPlace } from './request-store.ts';

/** The stored parts of an asynchronous invocation. */
export type RequestPart = 'arguments' | 'callback' | 'result';

/** Seals a part of a request. It opens only as the same part of the same request. All reject with AppError. */
export interface RequestSealing {
  seal(place: RequestPlace, part: RequestPart, plaintext: Uint8Array): Promise<Buffer>;
  open(place: RequestPlace, part: RequestPart, sealed: Buffer): Promise<Buffer>;
}

export function vaultRequestSealing(channel: GrpcChannel, timeoutMs: number): RequestSealing {
  const sealing = vaultSealing(channel, timeoutMs, 'keeps invocations secret');
  return {
    async seal(place, part, plaintext) {
      const item = { place: placeOf(place, part), plaintext: Buffer.from(plaintext) };
      return only(await sealing.seal([item]));
    },
    async open(place, part, sealed) {
      return only(await sealing.open([{ place: placeOf(place, part), sealed }]));
    },
  };
}

function only([result]: readonly Buffer[]): Buffer {
  if (result === undefined) throw new Error('the vault did not answer');
  return result;
}

function placeOf({ tenantId, reactorId, requestId }: RequestPlace, part: RequestPart) {
  return { tenantId, recordId: reactorId, field: `job.${requestId}.${part}` };
}
