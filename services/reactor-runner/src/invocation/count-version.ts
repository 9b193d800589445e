import { type ErrorCode, AppError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import type { RolloutCounter } from '@glovebox/published/rollout-counter';

import type { Reply } from '../replies/reply.ts';
import type { InRollout } from './choose-version.ts';

/** Performs an invocation whose arguments are ready, and adds it to the figures of its rollout, if it takes part in one. @throws AppError */
export async function countVersion(
  counter: Pick<RolloutCounter, 'note'>,
  rollout: InRollout | undefined,
  perform: () => Promise<Reply>,
): Promise<Reply> {
  if (rollout === undefined) return perform();
  const startedAt = performance.now();
  const note = (failed: boolean) =>
    counter.note({
      rolloutId: rollout.id,
      version: rollout.version,
      failed,
      ms: performance.now() - startedAt,
    });
  try {
    const reply = await perform();
    note(hasFailed(reply));
    return reply;
  } catch (error) {
    if (!(error instanceof AppError) || !temporary.has(error.code)) note(isFailure(error));
    throw error;
  }
}

/** They say nothing of the version, and an accepted invocation is tried again. */
const temporary: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unavailable',
  'vault_sealed',
  'rate_limited',
  'deadline_exceeded',
  'cancelled',
]);

const failures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'unprocessable',
  'response_leaks_value',
]);

/** The code has failed, as contract/rollouts.md#figures says. */
export function hasFailed(reply: Reply): boolean {
  if (reply.$case === 'error') return isFailure(fromWireError(reply.value));
  if (reply.$case !== 'refused' && reply.$case !== 'responded') return false;
  return isFailureStatus(reply.value.status);
}

/** Of an answer that code gives by throwing; any other is one for the caller. */
export function isFailureStatus(status: number): boolean {
  return status === 422 || status >= 500;
}

function isFailure(error: unknown): boolean {
  return !(error instanceof AppError) || failures.has(error.code);
}
