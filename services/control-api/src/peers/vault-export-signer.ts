import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { ExportSigner } from '../audit/vault-sources.ts';
import { peerCall, peerFailure } from './peer-call.ts';

const callTimeoutMs = 5000;

export function createVaultExportSigner(channel: GrpcChannel): ExportSigner {
  return {
    async checkpoint(state, correlationId) {
      const request = { ...state, previous: Buffer.from(state.previous) };
      const options = peerCall(callTimeoutMs, correlationId);
      const { line: text, digest } = await channel
        .unary(VaultServiceService.signExport, request, options)
        .catch(refuse);
      return { text, digest };
    },
    async publicKeys(correlationId) {
      const options = peerCall(callTimeoutMs, correlationId);
      const { keys } = await channel.unary(VaultServiceService.listAuditKeys, {}, options).catch(refuse);
      return keys.map(({ fingerprint, publicKey, createdMicros }) => ({
        fingerprint,
        publicKey,
        createdAt: new Date(createdMicros / 1000),
      }));
    },
  };
}

function refuse(cause: unknown): never {
  throw peerFailure('The vault, which signs exports of the log, cannot be reached.', cause);
}
