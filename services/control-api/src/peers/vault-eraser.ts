import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { TenantEraser } from '../tenants/eraser.ts';
import type { Certificate } from '../tenants/erasures.ts';
import { peerCall, peerFailure } from './peer-call.ts';

/** Longer than a statement of the vault may take. */
const callTimeoutMs = 8000;

export function createVaultEraser(channel: GrpcChannel): TenantEraser {
  return {
    async erase({ tenantId, requestedBy, requestedAt, applicationIds, erased, endedAt }) {
      const request = {
        tenantId,
        requestedBy: requestedBy ?? '',
        requestedMicros: requestedAt.getTime() * 1000,
        applicationIds: [...applicationIds],
        elsewhere: endedAt === null ? undefined : { erased: { ...erased } },
      };
      const options = peerCall(callTimeoutMs, `erasure-${tenantId}`);
      const { keysDestroyedMicros, certificate } = await channel
        .unary(VaultServiceService.eraseTenant, request, options)
        .catch(refuse);
      return {
        keysDestroyedAt: new Date(keysDestroyedMicros / 1000),
        certificate: certificate === '' ? undefined : (JSON.parse(certificate) as Certificate),
      };
    },
  };
}

function refuse(cause: unknown): never {
  throw peerFailure(
    'The tenant is deleted. Its keys are destroyed as soon as the vault can be reached, which it cannot be right now.',
    cause,
  );
}
