import { FrequentTimings } from '@glovebox/platform/telemetry/frequent-timings';
import {
  Counter,
  Gauge,
  Histogram,
  type MetricsRegistry,
  createMetrics,
  durationBuckets,
} from '@glovebox/platform/telemetry/metrics';

import type { Outcome } from './worker-protocol/outcome.ts';

export interface RunnerMetrics {
  readonly registry: MetricsRegistry;
  observe(outcome: Outcome, seconds: number): void;
  /** @param route the name of a route, or `unknown` */
  observeBt(route: string, status: number): void;
}

export interface PoolCounts {
  /** Assigned to a tenant. */
  readonly serving: number;
  /** Of these, the ones with calls. */
  readonly busy: number;
  readonly retiring: number;
  readonly living: number;
  readonly queued: number;
}

export function createRunnerMetrics(countsOf: () => PoolCounts): RunnerMetrics {
  const registry = createMetrics('reactor-runner');
  const series = new Map<Outcome['kind'], FrequentTimings<'outcome', never>>();
  const collect = () => {
    for (const timings of series.values()) timings.handOn();
  };
  const runs = new Counter({
    name: 'glovebox_runner_runs_total',
    help: 'Runs of user code by how they ended.',
    labelNames: ['outcome'],
    registers: [registry],
    collect,
  });
  // A series that first appears with a value shows no increase.
  for (const outcome of ['timeout', 'memory', 'crashed'] satisfies Outcome['kind'][])
    runs.inc({ outcome }, 0);
  const btCalls = new Counter({
    name: 'glovebox_runner_bt_calls_total',
    help: 'Calls of user code by bt, by operation and status of the answer.',
    labelNames: ['call', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'glovebox_runner_run_seconds',
    help: 'Time that a run of user code spent in a worker process.',
    buckets: durationBuckets,
    registers: [registry],
    collect,
  });
  addPoolGauges(registry, countsOf);
  return {
    registry,
    observe({ kind }, seconds) {
      let timings = series.get(kind);
      if (timings === undefined) {
        timings = new FrequentTimings(runs, { outcome: kind }, duration, {});
        series.set(kind, timings);
      }
      timings.observe(seconds);
    },
    observeBt(route, status) {
      btCalls.labels(route, String(status)).inc();
    },
  };
}

function addPoolGauges(registry: MetricsRegistry, countsOf: () => PoolCounts): void {
  registry.registerMetric(
    new Gauge({
      name: 'glovebox_runner_workers',
      help: 'Worker processes by state.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { serving, retiring, living } = countsOf();
        this.set({ state: 'serving' }, serving);
        this.set({ state: 'retiring' }, retiring);
        this.set({ state: 'spare' }, Math.max(0, living - serving - retiring));
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'glovebox_runner_busy_workers',
      help: 'Worker processes that have runs in them.',
      registers: [],
      collect() {
        this.set(countsOf().busy);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'glovebox_runner_queued_runs',
      help: 'Runs of user code that wait for a worker process.',
      registers: [],
      collect() {
        this.set(countsOf().queued);
      },
    }),
  );
}
