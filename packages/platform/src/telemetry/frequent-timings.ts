import type { Counter, Histogram } from 'prom-client';

/** A batch of this size is flushed even if nothing scrapes. */
const batchSize = 512;

/**
 * One combination of labels of a counter and a histogram, for events that happen thousands of times a second.
 * Observations are stored as numbers and flushed in batches: prom-client resolves the labels at each call, in code
 * that has left the processor's caches between two requests. The metrics' `collect` must call `handOn`.
 */
export class FrequentTimings<CounterLabel extends string, HistogramLabel extends string> {
  readonly #count: Counter.Internal;
  readonly #durations: Histogram.Internal<HistogramLabel>;
  readonly #seconds: number[] = [];

  constructor(
    counter: Counter<CounterLabel>,
    counterLabels: Readonly<Record<CounterLabel, string | number>>,
    durations: Histogram<HistogramLabel>,
    durationLabels: Readonly<Record<HistogramLabel, string | number>>,
  ) {
    this.#count = counter.labels(counterLabels);
    this.#durations = durations.labels(durationLabels);
  }

  /** Counts an event that took so many seconds. */
  observe(seconds: number): void {
    if (this.#seconds.push(seconds) >= batchSize) this.handOn();
  }

  handOn(): void {
    this.#count.inc(this.#seconds.length);
    for (const seconds of this.#seconds) this.#durations.observe(seconds);
    this.#seconds.length = 0;
  }
}
