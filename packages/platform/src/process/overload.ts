import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

import { AppError } from '../errors/app-error.ts';
import { Counter, type MetricsRegistry } from '../telemetry/metrics.ts';

type Reason = 'event_loop' | 'memory';

/** What is measured of a process. */
export interface Load {
  /** The median of how late the event loop was since the last look, in milliseconds. */
  readonly delayMs: number;
  /** The share that is used of the memory that the process may have, from 0 to 1. */
  readonly memory: number;
}

const lookMs = 500;
/** A process that is this late for a second has more work than it can do: what it accepts now only waits. */
const mostDelayMs = 500;
/** Of its heap, or of the memory of its container. At 1 the process ends, with everything in it. */
const mostMemory = 0.9;
/** So much of a bound ends the refusals, so that they do not flicker. */
const relief = { delay: 0.8, memory: 0.95 };

/**
 * Refuses new work while a process has more than it can do, before a limit is hit. What was accepted goes on: the
 * youngest is refused, and the oldest is finished.
 */
export class Overload implements Disposable {
  readonly #refused: Counter<'reason'>;
  readonly #look: () => Load;
  readonly #stack = new DisposableStack();
  #lateLooks = 0;
  #reason: Reason | undefined;
  /** The same for all that is refused at a time, so that it is logged once. */
  #refusal: AppError | undefined;

  /** @param look measures the process; default: this one */
  constructor(metrics: MetricsRegistry, look?: () => Load) {
    this.#refused = new Counter({
      name: 'glovebox_shed_total',
      help: 'Requests and calls that were refused because the process had too much to do',
      labelNames: ['reason'],
      registers: [metrics],
    });
    this.#look = look ?? this.#watchThisProcess();
    const timer = setInterval(() => this.look(), lookMs);
    timer.unref();
    this.#stack.defer(() => clearInterval(timer));
  }

  /** @throws AppError `unavailable` while there is too much to do */
  requireRoom(): void {
    if (this.#reason === undefined) return;
    this.#refused.inc({ reason: this.#reason });
    this.#refusal ??= tooMuch();
    throw this.#refusal;
  }

  /** Looks at the process. A timer does that, too. */
  look(): void {
    const { delayMs, memory } = this.#look();
    this.#lateLooks = delayMs > mostDelayMs ? this.#lateLooks + 1 : 0;
    const stays = (reason: Reason) => this.#reason === reason;
    // One late look alone may be a single long task.
    if (this.#lateLooks > 1 || (stays('event_loop') && delayMs > mostDelayMs * relief.delay))
      this.#reason = 'event_loop';
    else if (memory > mostMemory || (stays('memory') && memory > mostMemory * relief.memory))
      this.#reason = 'memory';
    else this.#reason = this.#refusal = undefined;
  }

  [Symbol.dispose](): void {
    this.#stack.dispose();
  }

  #watchThisProcess(): () => Load {
    const delays = monitorEventLoopDelay({ resolution: resolutionMs });
    delays.enable();
    this.#stack.defer(() => delays.disable());
    let lookedAt = performance.now();
    return () => {
      const sinceMs = performance.now() - lookedAt;
      lookedAt += sinceMs;
      return { delayMs: medianOf(delays, sinceMs), memory: usedMemory() };
    };
  }
}

function tooMuch(): AppError {
  return new AppError('unavailable', 'The service has too much to do at the moment.', {
    retryAfterSeconds: 1,
    fixed: true,
  });
}

const resolutionMs = 20;

/** @param sinceMs how long ago it was asked the last time, from when on it counts */
function medianOf(delays: ReturnType<typeof monitorEventLoopDelay>, sinceMs: number): number {
  // It counts the time between two samples, in nanoseconds; without a second sample, one turn took all the time.
  const median = delays.count === 0 ? sinceMs : delays.percentile(50) / 1e6;
  delays.reset();
  return median - resolutionMs;
}

function usedMemory(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  // 0 where it is not known; as good as infinite where there is no limit.
  const container = process.constrainedMemory();
  return Math.max(used / limit, container > 0 ? process.memoryUsage.rss() / container : 0);
}
