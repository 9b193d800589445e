import { type MetricsRegistry, Gauge } from './metrics.ts';

export interface SeldomReadOptions {
  readonly name: string;
  readonly help: string;
  /** Scrapes are frequent, and the value changes slowly. */
  readonly everyMs: number;
  readonly read: () => Promise<number>;
}

/** A gauge that queries a database. It keeps its last value when the query fails. */
export function addSeldomReadGauge(
  registry: MetricsRegistry,
  { name, help, everyMs, read }: SeldomReadOptions,
): void {
  let readAt = -Infinity;
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      if (performance.now() - readAt < everyMs) return;
      readAt = performance.now();
      const value = await read().catch(() => undefined);
      if (value !== undefined) gauge.set(value);
    },
  });
}
