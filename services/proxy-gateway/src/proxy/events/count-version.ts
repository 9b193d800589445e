import type { ErrorCode } from '@glovebox/platform/errors/app-error';
import type { RolloutCounter } from '@glovebox/published/rollout-counter';

import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';

/** What the destination or the version has done, and not the caller. */
const failures: readonly ErrorCode[] = [
  'bad_gateway',
  'deadline_exceeded',
  'destination_circuit_open',
  'destination_tls',
  'internal',
  'response_leaks_value',
];
const ofVersion: ReadonlySet<string | undefined> = new Set(failures);

/** Adds an invocation that has ended to the figures of its rollout, if it takes part in one. */
export function countVersion(invocation: ProxyInvocation, counter: Pick<RolloutCounter, 'note'>): void {
  const { rolloutId, proxy, exchange } = invocation;
  if (rolloutId === undefined) return;
  const ms = performance.now() - exchange.startedAt;
  counter.note({ rolloutId, version: proxy.version, failed: hasVersionFailed(invocation), ms });
}

/**
 * Whether an invocation that has ended counts against its version (contract/rollouts.md#figures): code that failed, and our
 * own answers for a destination. What a destination answers does not count, nor what the caller has done wrong.
 */
export function hasVersionFailed({
  exchange: { logFields, response },
}: Pick<ProxyInvocation, 'exchange'>): boolean {
  if (ofVersion.has(logFields.errorCode)) return true;
  // Code that throws: one of its own errors for the caller is no failure (contract/errors.md#thrown-errors).
  const { statusCode: status } = response;
  return logFields.errorCode === 'unprocessable' && (status === 422 || status >= 500);
}
