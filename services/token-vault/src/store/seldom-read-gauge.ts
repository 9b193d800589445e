import { Gauge, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

export interface SeldomReadOptions {
  readonly name: string;
  readonly help: string;
  /** Whoever collects metrics asks often, and what is shown changes slowly. */
  readonly everyMs: number;
  readonly read: () => Promise<number>;
}

/** A metric that the database is asked for. What cannot be read stays as it was known last. */
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
