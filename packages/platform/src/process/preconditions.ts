import { setTimeout as pause } from 'node:timers/promises';

import { startInternalServer } from '../http/internal-server.ts';
import { ConfigError } from '../settings/config-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { MetricsRegistry } from '../telemetry/metrics.ts';

export interface PreconditionOptions {
  /** Serves `/livez` and `/readyz` meanwhile: the service's own internal port. */
  readonly host: string;
  readonly port: number;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
  /** Ends the waiting. */
  readonly stopping?: AbortSignal | undefined;
}

/**
 * A failure whose message may be shown on `/readyz`: it names something that an operator can fix, and holds no secret.
 */
export class PreconditionError extends Error {
  override readonly name = 'PreconditionError';
}

type Results<Steps> = {
  [Name in keyof Steps]: Steps[Name] extends () => Promise<infer Result> ? Result : never;
};

const quietMs = 1000;
const firstPauseMs = 500;
const longestPauseMs = 5000;

/**
 * Runs the steps that a service cannot start without, concurrently, each until it succeeds: a database is migrated, a
 * key file is read. A restart of the process would change nothing, so it stays, and reports on its internal port that
 * it is alive but not ready, with the reason of each step under its name.
 * @param steps may run again after a failure
 * @throws the signal's reason when `stopping` aborts; errors of the internal port
 */
export async function meetPreconditions<Steps extends Record<string, () => Promise<unknown>>>(
  options: PreconditionOptions,
  steps: Steps,
): Promise<Results<Steps>> {
  const { logger, stopping } = options;
  const reasons = new Map<string, string>();
  const results: Record<string, unknown> = {};
  const stop = new AbortController();
  const signal = stopping === undefined ? stop.signal : AbortSignal.any([stopping, stop.signal]);
  const all = Promise.all(
    Object.entries(steps).map(async ([name, step]) => {
      reasons.set(name, 'it is under way');
      results[name] = await untilItSucceeds(step, signal, (error) => {
        const reason = reasonOf(error);
        if (reasons.get(name) !== reason) logger.error({ err: error, step: name }, `not ready: ${reason}`);
        reasons.set(name, reason);
      });
      reasons.delete(name);
    }),
  );
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  const onStopping = () => stopped.reject(stopping?.reason);
  stopping?.addEventListener('abort', onStopping, { once: true });
  const met = Promise.race([all, stopped.promise]);
  const quiet = pause(quietMs, true, { signal: stop.signal }).catch(() => false);
  try {
    const isLong = await Promise.race([met.then(() => false), quiet]);
    if (isLong) {
      await using server = await startInternalServer({ ...options, readiness: readinessOf(steps, reasons) });
      void server;
      await met;
    }
    return results as Results<Steps>;
  } finally {
    all.catch(() => undefined);
    // The signal lives as long as the process, and would keep the results, which may be keys.
    stopping?.removeEventListener('abort', onStopping);
    stop.abort();
  }
}

async function untilItSucceeds<Result>(
  step: () => Promise<Result>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      onFailure(error);
    }
    await pause(pauseMs, undefined, { signal });
  }
}

function readinessOf(steps: object, reasons: ReadonlyMap<string, string>) {
  return Object.fromEntries(Object.keys(steps).map((name) => [name, () => reasons.get(name)]));
}

function reasonOf(error: unknown): string {
  if (error instanceof PreconditionError) return error.message;
  if (error instanceof ConfigError) return error.problems.join('; ');
  return 'it failed; the log says how';
}
