import { Counter, Registry, collectDefaultMetrics } from 'prom-client';

import { countUncaught } from './uncaught.ts';

export { Counter, Gauge, Histogram } from 'prom-client';
export type MetricsRegistry = Registry;

/** The metrics of one service: Node's and its own. Names are `glovebox_<what>_<unit>`. */
export function createMetrics(service: string): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(
    new Counter({
      name: 'glovebox_uncaught_total',
      help: 'Uncaught exceptions and unhandled rejections. The first one ends the process.',
      registers: [],
      collect() {
        this.reset();
        this.inc(countUncaught());
      },
    }),
  );
  return registry;
}

/** For what must not be counted: nothing scrapes it, and it measures nothing of the process. */
export function createHiddenMetrics(): MetricsRegistry {
  return new Registry();
}

/** Buckets in seconds, from a tenth of a millisecond to half a minute. */
export const durationBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
