import { type AppError, toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { RunnerServiceService, TransformSide } from '@glovebox/protos/runner/v1/runner';
import type { SigningKeyProvider } from '@glovebox/published/signing-key';
import { signTrial } from '@glovebox/published/trial-grant';

import type { CodeTrial, Trier } from '../code/trier.ts';
import { peerCall, peerFailure } from './peer-call.ts';

/** The time to wait for a worker, and that of the longest run by default. */
const callTimeoutMs = 60_000;

const sides = {
  request: TransformSide.TRANSFORM_SIDE_REQUEST,
  response: TransformSide.TRANSFORM_SIDE_RESPONSE,
} as const;

/** @param signing by which the vault knows that the code may act as its application while it runs */
export function createRunnerTrier(channel: GrpcChannel, signing: SigningKeyProvider): Trier {
  return {
    async try(trial, correlationId) {
      const { tenantId, code, side, args, configuration, applicationId = '', network } = trial;
      const request = {
        tenantId,
        code,
        side: side === undefined ? TransformSide.TRANSFORM_SIDE_UNSPECIFIED : sides[side],
        args: Buffer.from(JSON.stringify(args)),
        configuration: Buffer.from(JSON.stringify(configuration)),
        applicationId,
        network,
        trial: await grantOf(trial, signing),
      };
      // What the code does with a network must not happen twice.
      const options = { ...peerCall(callTimeoutMs, correlationId), safe: !network };
      try {
        const { json } = await channel.unary(RunnerServiceService.try, request, options);
        return json.toString();
      } catch (cause) {
        throw failureOf(cause);
      }
    },
  };
}

async function grantOf(
  { tenantId, applicationId, network }: CodeTrial,
  signing: SigningKeyProvider,
): Promise<string> {
  if (!network || applicationId === undefined) return '';
  return signTrial(signing, { tenantId, applicationId }, Date.now() + callTimeoutMs);
}

/** What the runner says of the code and of its own limits is for the caller. */
function failureOf(cause: unknown): AppError {
  const failure = toAppError(cause);
  const { code } = failure;
  const isTold =
    code === 'rate_limited' ||
    code === 'too_large' ||
    code === 'deadline_exceeded' ||
    code === 'invalid_argument';
  return isTold ? failure : peerFailure('The runner, which runs the code, cannot be reached.', cause);
}
