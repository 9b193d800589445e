import { Registry, collectDefaultMetrics } from 'prom-client';

export { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The metrics of one service: Node's own and what the service adds. Names are `glovebox_<what>_<unit>`. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Buckets in seconds, for what takes from a tenth of a millisecond to half a minute. */
export const durationBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
