import type { Logger } from '../telemetry/logger.ts';
import { withoutSpans } from '../telemetry/tracing.ts';
import { compileSooner } from './compile-sooner.ts';

/** What a process does before it is ready, so that its first requests do not wait for V8's compilers. */
export interface WarmUp extends AsyncDisposable {
  /** For `/readyz`: undefined as soon as it has ended, however. */
  unreadyReason(): string | undefined;
}

export interface WarmUpOptions {
  /** In milliseconds; 0: there is none. */
  readonly limitMs: number;
  readonly logger: Logger;
  /** Ends it, as its disposal does. */
  readonly stopping?: AbortSignal | undefined;
  /**
   * Takes the paths of requests, without any effect outside of the process.
   * @param signal aborts at the limit, or when the process is to end
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * Begins to warm up. A process whose warm-up fails or runs out of time serves nevertheless: its first requests are slower.
 * Disposing it ends it.
 */
export function startWarmUp(options: WarmUpOptions): WarmUp {
  if (options.limitMs === 0)
    return { unreadyReason: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  const stop = new AbortController();
  let isOver = false;
  const { stopping = stop.signal } = options;
  const ended = warm(options, AbortSignal.any([stop.signal, stopping])).finally(() => {
    isOver = true;
  });
  return {
    unreadyReason: () => (isOver ? undefined : 'it is warming up'),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

async function warm({ limitMs, logger, run }: WarmUpOptions, stopping: AbortSignal): Promise<void> {
  const since = performance.now();
  const late = AbortSignal.timeout(limitMs);
  using stack = new DisposableStack();
  stack.use(withoutSpans());
  stack.use(compileSooner());
  const signal = AbortSignal.any([late, stopping]);
  try {
    await Promise.race([run(signal), abortOf(signal)]);
    if (!late.aborted && !stopping.aborted)
      logger.info({ tookMs: Math.round(performance.now() - since) }, 'warmed up');
  } catch (err) {
    if (!late.aborted && !stopping.aborted)
      logger.warn({ err }, 'the warm-up failed: the first requests take longer');
  }
  if (late.aborted && !stopping.aborted) logger.warn({ limitMs }, 'the warm-up ran out of time');
}

/** Nothing that does not heed the signal delays the process. */
function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
