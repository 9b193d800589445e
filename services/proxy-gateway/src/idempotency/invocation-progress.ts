import { EgressConnectFailed, EgressDenied } from '@glovebox/egress/egress-errors';
import { scopeOf } from '@glovebox/platform/db/idempotent-transaction';
import { type ErrorCode, toAppError } from '@glovebox/platform/errors/app-error';

import type { RunnerClient } from '../runner/runner-client.ts';

/** How far an invocation has come: the tenant's code may have run; the destination may have got the request. */
type Reached = 'nothing' | 'code' | 'destination';

/** Notes what may have taken effect, before it can. */
export interface Effects {
  /** Somebody may ask later what has become of it. */
  readonly tracked: boolean;
  readonly reached: Reached;
  reaches(what: Exclude<Reached, 'nothing'>): void;
  /** The idempotency key of a write on the way, the same however often the request is made; undefined without one. */
  keyOf(write: string): string | undefined;
}

/** For invocations that nobody asks about later. */
export const untracked: Effects = {
  tracked: false,
  reached: 'nothing',
  reaches: () => undefined,
  keyOf: () => undefined,
};

/** @param scope of the claim */
export function newEffects(scope: Buffer): Effects {
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

/** Code that was not heard of again may have run. */
const silence: ReadonlySet<ErrorCode> = new Set(['unavailable', 'deadline_exceeded', 'cancelled']);

/** Whether it is known that the request failed: only then may it be made again under the same key. */
export function isKnownFailure(reached: Reached, error: unknown): boolean {
  const { code, cause } = toAppError(error);
  if (reached === 'nothing') return true;
  if (reached === 'code') return !silence.has(code);
  // Only before a connection stands is it certain that nothing was sent: TLS can fail on one as well.
  return cause instanceof EgressDenied || cause instanceof EgressConnectFailed;
}

/** Code is about to run. While the runner is away it is not, and the claim of a key need not end in doubt. */
export function beforeCode(effects: Effects, runner: RunnerClient): void {
  if (!effects.tracked) return;
  runner.requireConnection();
  effects.reaches('code');
}
