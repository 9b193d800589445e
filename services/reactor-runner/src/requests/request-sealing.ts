import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { RequestPlace } from './request-store.ts';

/** What of an asynchronous invocation is kept. */
export type RequestPart = 'arguments' | 'callback' | 'result';

/** The vault, as far as it keeps secret what waits in the queue and what came of it. All reject with AppError. */
export interface RequestSealing {
  seal(place: RequestPlace, part: RequestPart, plaintext: Uint8Array): Promise<Buffer>;
  open(place: RequestPlace, part: RequestPart, sealed: Buffer): Promise<Buffer>;
}

/** What is sealed opens as this part of this request of this tenant's reactor, and as nothing else. */
export function vaultRequestSealing(channel: GrpcChannel, timeoutMs: number): RequestSealing {
  const options = () => ({ deadline: Date.now() + timeoutMs, safe: true });
  return {
    async seal(place, part, plaintext) {
      const items = [{ place: sealedPlace(place, part), plaintext: Buffer.from(plaintext) }];
      const { sealed } = await channel.unary(VaultServiceService.seal, { items }, options()).catch(refuse);
      return sealed[0] ?? refuse(new Error('the vault did not answer'));
    },
    async open(place, part, sealed) {
      const items = [{ place: sealedPlace(place, part), sealed }];
      const { plaintexts } = await channel
        .unary(VaultServiceService.open, { items }, options())
        .catch(refuse);
      return plaintexts[0] ?? refuse(new Error('the vault did not answer'));
    },
  };
}

function sealedPlace({ tenantId, reactorId, requestId }: RequestPlace, part: RequestPart) {
  return { tenantId, recordId: reactorId, field: `job.${requestId}.${part}` };
}

/** What the vault says about our items is no answer to the caller, who never sent them. */
function refuse(cause: unknown): never {
  const { code } = toAppError(cause);
  const away = code === 'unavailable' || code === 'deadline_exceeded' || code === 'rate_limited';
  throw away
    ? new AppError('unavailable', 'The vault, which keeps invocations secret, cannot be reached.', { cause })
    : new AppError('internal', 'The request could not be completed.', { cause });
}
