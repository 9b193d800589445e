import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { type ReportEgressRequest, VaultServiceService } from '@glovebox/protos/vault/v1/vault';

const timeoutMs = 5_000;

/** Has the vault record what did not fit an egress policy. The result rejects with an AppError while that is impossible. */
export function egressReporter(channel: GrpcChannel): (request: ReportEgressRequest) => Promise<void> {
  return async (request) => {
    const { correlationId } = request;
    // It is not repeated here: a report whose answer was lost would count twice.
    await channel.unary(VaultServiceService.reportEgress, request, {
      deadline: Date.now() + timeoutMs,
      correlationId,
    });
  };
}
