import { AppError, toAppError } from '@glovebox/platform/errors';
import type { GrpcChannel } from '@glovebox/platform/grpc-client';
import { context, traceparentOf } from '@glovebox/platform/tracing';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { UsageSource } from './usage-source.ts';

/** Longer than a statement of the vault may take. */
const callTimeoutMs = 8000;

export function createVaultUsage(channel: GrpcChannel): UsageSource {
  return {
    async usageOf(tenantId, correlationId) {
      const traceparent = traceparentOf(context.active());
      const options = {
        deadline: Date.now() + callTimeoutMs,
        safe: true,
        correlationId,
        ...(traceparent === undefined ? {} : { traceparent }),
      };
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
  };
}

/** What the vault says about our request is no answer to the caller. */
function refuse(cause: unknown): never {
  const { code } = toAppError(cause);
  const away = code === 'unavailable' || code === 'deadline_exceeded' || code === 'rate_limited';
  throw away
    ? new AppError('unavailable', 'The vault, which counts the tokens, cannot be reached.', { cause })
    : new AppError('internal', 'The request could not be completed.', { cause });
}
