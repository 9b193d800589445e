import { toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { RunnerServiceService } from '@glovebox/protos/runner/v1/runner';

import type { InvocationLogs } from '../people/invocation-logs.ts';
import { peerCall, peerFailure } from './peer-call.ts';

/** The runner asks the vault to open what it has stored. */
const callTimeoutMs = 10_000;

export function createRunnerInvocationLogs(channel: GrpcChannel): InvocationLogs {
  return {
    async read(of, correlationId) {
      const options = peerCall(callTimeoutMs, correlationId);
      const method = RunnerServiceService.readInvocationLog;
      return (await channel.unary(method, of, options).catch(refuse)).json.toString();
    },
  };
}

function refuse(cause: unknown): never {
  const failure = toAppError(cause);
  if (failure.code === 'not_found' || failure.code === 'rate_limited') throw failure;
  throw peerFailure('The runner, which keeps the logs of code, cannot be reached.', cause);
}
