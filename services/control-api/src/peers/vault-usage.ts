import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import {
  type StoredKey,
  type TrafficPoint as WirePoint,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';

import type { EncryptionKey, TrafficPoint, UsageSource } from '../audit/vault-sources.ts';
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
    async keysOf(tenantId, correlationId) {
      const options = peerCall(callTimeoutMs, correlationId);
      const reply = await channel.unary(VaultServiceService.reportKeys, { tenantId }, options).catch(refuse);
      const { mostSeals, dataRotation, indexRotation } = reply;
      return {
        dataKeys: reply.dataKeys.map(keyOf),
        indexKeys: reply.indexKeys.map(keyOf),
        mostSeals,
        dataRotation,
        indexRotation,
      };
    },
    async trafficOf(tenantId, stepSeconds, from, correlationId) {
      const request = { tenantId, stepSeconds, fromMicros: from.getTime() * 1000 };
      const options = peerCall(callTimeoutMs, correlationId);
      const { points } = await channel.unary(VaultServiceService.listTraffic, request, options).catch(refuse);
      return points.map(pointOf);
    },
  };
}

function pointOf({ atMicros, ...counts }: WirePoint): TrafficPoint {
  return { at: new Date(atMicros / 1000), ...counts };
}

function keyOf({ version, createdMicros, seals }: StoredKey): EncryptionKey {
  return { version, createdAt: new Date(createdMicros / 1000), seals };
}

function refuse(cause: unknown): never {
  throw peerFailure('The vault, which counts the tokens, cannot be reached.', cause);
}
