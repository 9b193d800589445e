import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { type ReportLeakRequest, VaultServiceService } from '@glovebox/protos/vault/v1/vault';

const timeoutMs = 5_000;

/** Has the vault record what a leak guard has found. The result rejects with an AppError while that is impossible. */
export function leakReporter(channel: GrpcChannel): (request: ReportLeakRequest) => Promise<void> {
  return async (request) => {
    const { correlationId } = request;
    // It is not repeated here: a report whose answer was lost would count twice.
    await channel.unary(VaultServiceService.reportLeak, request, {
      deadline: Date.now() + timeoutMs,
      correlationId,
    });
  };
}
