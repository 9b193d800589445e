import { AppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { PlainSecret, SealedSecret, Sealer } from '../secrets/sealer.ts';
import { peerCall, peerFailure } from './peer-call.ts';

const callTimeoutMs = 5000;
/** Well below the size of a gRPC message and the number of items that the vault takes at once. */
const maxItemsPerCall = 500;
const maxBytesPerCall = 1024 * 1024;

/** The vault seals and opens; this service holds no key. */
export function createVaultSealer(channel: GrpcChannel): Sealer {
  return {
    seal: (secrets, correlationId) =>
      inBatches(
        secrets,
        ({ plaintext }) => Buffer.byteLength(plaintext),
        async (batch) => {
          const items = batch.map(({ place, plaintext }) => ({ place, plaintext: Buffer.from(plaintext) }));
          const reply = await channel.unary(VaultServiceService.seal, { items }, options(correlationId));
          return complete(reply.sealed, batch.length);
        },
      ),
    open: (secrets, correlationId) =>
      inBatches(
        secrets,
        ({ sealed }) => sealed.length,
        async (batch) => {
          const items = batch.map(({ place, sealed }) => ({ place, sealed }));
          const reply = await channel.unary(VaultServiceService.open, { items }, options(correlationId));
          return complete(reply.plaintexts, batch.length).map((plaintext) => plaintext.toString());
        },
      ),
    reseal: (secrets, correlationId) =>
      inBatches(
        secrets,
        ({ sealed }) => sealed.length,
        async (batch) => {
          const items = batch.map(({ place, sealed }) => ({ place, sealed }));
          const reply = await channel.unary(VaultServiceService.reseal, { items }, options(correlationId));
          return complete(reply.sealed, batch.length).map((sealed) =>
            sealed.length === 0 ? undefined : sealed,
          );
        },
      ),
  };
}

function options(correlationId: string) {
  return peerCall(callTimeoutMs, correlationId);
}

function complete<T>(results: readonly T[], expected: number): readonly T[] {
  if (results.length === expected) return results;
  throw new AppError('internal', 'The request could not be completed.', {
    cause: new Error(`the vault answered ${results.length} of ${expected} items`),
  });
}

async function inBatches<Item extends PlainSecret | SealedSecret, Result>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  call: (batch: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (batch.length === maxItemsPerCall || (batch.length > 0 && bytes + size > maxBytesPerCall)) {
      results.push(...(await asOurs(call(batch))));
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) results.push(...(await asOurs(call(batch))));
  return results;
}

async function asOurs<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw peerFailure('The vault, which keeps the secrets of this resource, cannot be reached.', cause);
  }
}
