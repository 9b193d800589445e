import { Counter, Gauge, Histogram, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { RequestStore } from '../requests/request-store.ts';
import type { AttemptResult } from './settle-request.ts';

export interface AsyncMetrics {
  ended(result: AttemptResult | 'postponed'): void;
  waited(ms: number): void;
}

const waitBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];

export function createAsyncMetrics(
  registry: MetricsRegistry,
  requests: Pick<RequestStore, 'depth'>,
): AsyncMetrics {
  const outcomes = new Counter({
    name: 'glovebox_runner_async_attempts_total',
    help: 'Attempts to perform asynchronous invocations by how they ended.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // A series that first appears with a value shows no increase.
  outcomes.inc({ outcome: 'interrupted' satisfies AttemptResult }, 0);
  const wait = new Histogram({
    name: 'glovebox_runner_async_wait_seconds',
    help: 'Time from the acceptance of an asynchronous invocation until its code began.',
    buckets: waitBuckets,
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'glovebox_runner_async_oldest_seconds',
    help: 'Age of the oldest asynchronous invocation without an outcome; of all runners together.',
    registers: [registry],
  });
  registry.registerMetric(
    new Gauge({
      name: 'glovebox_runner_async_open',
      help: 'Asynchronous invocations without an outcome, of all runners together.',
      registers: [],
      async collect() {
        try {
          const depth = await requests.depth();
          this.set(depth.open);
          oldest.set(depth.oldest === undefined ? 0 : (Date.now() - depth.oldest) / 1000);
        } catch {
          // Redis is away: the last values stay.
        }
      },
    }),
  );
  return {
    ended: (outcome) => outcomes.inc({ outcome }),
    waited: (ms) => wait.observe(ms / 1000),
  };
}
