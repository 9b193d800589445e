import { FrequentTimings } from '@glovebox/platform/telemetry/frequent-timings';
import {
  Counter,
  Gauge,
  Histogram,
  type MetricsRegistry,
  createMetrics,
  durationBuckets,
} from '@glovebox/platform/telemetry/metrics';

import type { AgainCause } from './scheduling/worker-pool.ts';
import type { Outcome } from './worker-protocol/outcome.ts';

export interface RunnerMetrics {
  readonly registry: MetricsRegistry;
  observe(outcome: Outcome, seconds: number): void;
  /** A run begins in another worker than the first. */
  observeAgain(cause: AgainCause): void;
  /** @param route the name of a route, or `unknown` */
  observeBt(route: string, status: number): void;
}

export interface PoolCounts {
  /** Assigned to a tenant. */
  readonly serving: number;
  /** Assigned to code that runs alone. */
  readonly apart: number;
  /** Of both, the ones with calls. */
  readonly busy: number;
  readonly retiring: number;
  readonly living: number;
  readonly queued: number;
  /** Codes that run alone because they have cost a worker. */
  readonly quarantined: number;
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
  for (const outcome of ['timeout', 'cpu', 'memory', 'crashed', 'worker_lost'] satisfies Outcome['kind'][])
    runs.inc({ outcome }, 0);
  const again = new Counter({
    name: 'glovebox_runner_runs_begun_again_total',
    help: 'Runs of user code that went to another worker process, by cause. Those that were held up had not begun before.',
    labelNames: ['cause'],
    registers: [registry],
  });
  for (const cause of ['held_up', 'moved', 'worker_lost'] satisfies AgainCause[]) again.inc({ cause }, 0);
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
    observeAgain(cause) {
      again.inc({ cause });
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
        const { serving, apart, retiring, living } = countsOf();
        this.set({ state: 'serving' }, serving);
        this.set({ state: 'retiring' }, retiring);
        this.set({ state: 'apart' }, apart);
        this.set({ state: 'spare' }, Math.max(0, living - serving - apart - retiring));
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
      name: 'glovebox_runner_quarantined_codes',
      help: 'Versions of code that run alone for a while because they have cost a worker process.',
      registers: [],
      collect() {
        this.set(countsOf().quarantined);
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
