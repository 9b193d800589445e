import { EgressConnectFailed, EgressDenied } from '@glovebox/egress/egress-errors';
import { scopeOf } from '@glovebox/platform/db/idempotent-transaction';
import { type ErrorCode, toAppError } from '@glovebox/platform/errors/app-error';

import type { RunnerClient } from '../runner/runner-client.ts';

/** How far an invocation has come: the tenant's code may have run; the destination may have got the request. */
type Reached = 'nothing' | 'code' | 'destination';

/** Records what may have taken effect, before it can. */
export interface InvocationProgress {
  /** The request has an idempotency key, so that its outcome matters to a later one. */
  readonly tracked: boolean;
  readonly reached: Reached;
  reaches(what: Exclude<Reached, 'nothing'>): void;
  /** The idempotency key of a write on the way, the same however often the request is made; undefined without one. */
  keyOf(write: string): string | undefined;
}

/** For invocations without an idempotency key. */
export const untracked: InvocationProgress = {
  tracked: false,
  reached: 'nothing',
  reaches: () => undefined,
  keyOf: () => undefined,
};

/** @param scope of the claim */
export function trackProgress(scope: Buffer): InvocationProgress {
  let reached: Reached = 'nothing';
  return {
    tracked: true,
    get reached() {
      return reached;
    },
    reaches: (what) => {
      reached = what;
    },
    keyOf: (write) => scopeOf(scope.toString('hex'), write).toString('hex'),
  };
}

/** After these errors the code may have run. */
const silence: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'vault_sealed',
  'deadline_exceeded',
  'cancelled',
]);

/** Whether it is known that the request failed: only then may it be made again under the same key. */
export function isKnownFailure(reached: Reached, error: unknown): boolean {
  const { code, cause } = toAppError(error);
  if (reached === 'nothing') return true;
  if (reached === 'code') return !silence.has(code);
  // Nothing was sent for certain only before there is a connection: TLS can fail on one as well.
  return cause instanceof EgressDenied || cause instanceof EgressConnectFailed;
}

/** Code is about to run. Without a runner it is certain that it does not, so that the key can be used again. */
export function beforeCode(
  progress: InvocationProgress,
  runner: Pick<RunnerClient, 'requireConnection'>,
): void {
  if (!progress.tracked) return;
  runner.requireConnection();
  progress.reaches('code');
}
