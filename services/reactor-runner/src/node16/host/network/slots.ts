import { limitError } from './user-error.ts';

/** Lets so many go on at once; others wait for their turn. */
export class Slots {
  readonly size: number;
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(size: number) {
    this.size = size;
    this.#free = size;
  }

  /**
   * Resolves to what gives the place back, which may be called more than once.
   * Rejects when there is none within the time, or when the signal aborts.
   */
  async take(signal: AbortSignal, timeoutMs: number): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal, timeoutMs);
    let held = true;
    return () => {
      if (held) this.#giveBack();
      held = false;
    };
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }

  #turn(signal: AbortSignal, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#waiting.delete(proceed);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        settle();
      };
      const proceed = () => end(resolve);
      const abort = () => {
        const reason: Error = signal.reason;
        end(() => reject(reason));
      };
      const late = () =>
        end(() =>
          reject(limitError(`No more than ${this.size} connections can be open at once in one invocation.`)),
        );
      const timer = setTimeout(late, timeoutMs);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(proceed);
    });
  }
}
