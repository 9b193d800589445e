import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { UsageSource } from '../audit/vault-sources.ts';
import { peerCall, peerFailure } from './peer-call.ts';

/** Longer than a statement of the vault may take. */
const callTimeoutMs = 8000;

export function createVaultUsage(channel: GrpcChannel): UsageSource {
  return {
    async usageOf(tenantId, correlationId) {
      const options = peerCall(callTimeoutMs, correlationId);
      const reply = await channel.unary(VaultServiceService.reportUsage, { tenantId }, options).catch(refuse);
      return {
        months: reply.months,
        types: reply.types.map(({ type, count, lastCreatedMicros }) => ({
          type,
          count,
          lastCreatedAt: new Date(lastCreatedMicros / 1000),
        })),
      };
    },
    async operationsOf(tenantId, correlationId) {
      const options = peerCall(callTimeoutMs, correlationId);
      const { operations } = await channel
        .unary(VaultServiceService.reportOperations, { tenantId }, options)
        .catch(refuse);
      return operations;
    },
  };
}

function refuse(cause: unknown): never {
  throw peerFailure('The vault, which counts the tokens, cannot be reached.', cause);
}
