import { toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import {
  type CompileProblem,
  type CompileResponse,
  RunnerServiceService,
} from '@glovebox/protos/runner/v1/runner';

import type { CheckedCode, Compiler } from '../code/code-problems.ts';
import { peerCall, peerFailure } from './peer-call.ts';

/** A runner that was started just now first starts the process that does it, which may take seconds. */
const callTimeoutMs = 12_000;

/** The runner parses the code, and loads it once. */
export function createRunnerCompiler(channel: GrpcChannel): Compiler {
  return {
    async check(code, { tenantId, correlationId }) {
      const options = peerCall(callTimeoutMs, correlationId);
      try {
        return checked(await channel.unary(RunnerServiceService.compile, { code, tenantId }, options));
      } catch (cause) {
        return { problems: refusalOf(cause) };
      }
    },
  };
}

function checked({ problem, loading }: CompileResponse): CheckedCode {
  if (problem !== undefined) return { problems: [textOf(problem)] };
  const outcome = loading?.outcome;
  if (outcome?.$case === 'problem') return { problems: [], loading: outcome.value };
  return { problems: [], untried: outcome?.$case !== 'loaded' };
}

function textOf({ message, line, column }: CompileProblem): string {
  return line === 0 ? message : `${message} (main.js:${line}:${column})`;
}

/** The runner may have a smaller limit than this service; all else that it says is no answer to the caller. */
function refusalOf(cause: unknown): readonly string[] {
  const { code, errors } = toAppError(cause);
  const own = code === 'invalid_argument' ? errors['code'] : undefined;
  if (own !== undefined) return own;
  throw peerFailure('The runner, which checks the code, cannot be reached.', cause);
}
