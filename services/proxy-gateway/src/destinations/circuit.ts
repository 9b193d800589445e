/** So many failures in a row open a circuit. */
export const failuresToOpen = 10;
/** A failure that is not followed by another within this time is forgotten. */
const memoryMs = 60_000;
/** How long a circuit is open at first, and at most: each probe that fails doubles it. */
const firstOpenMs = 1000;
const mostOpenMs = 30_000;

/** A request that a circuit let through. `probe`: the only one at a time, until one succeeds. */
export type Admission = 'closed' | 'probe';

/**
 * A circuit breaker: closed, open for a while after failures in a row, then half-open for one probe after the other.
 * Times are in milliseconds of a clock that never goes back.
 */
export class Circuit {
  #failures = 0;
  #failedAt = -Infinity;
  #openMs = 0;
  #probing = false;

  get isOpen(): boolean {
    return this.#openMs > 0;
  }

  /** Milliseconds until a request may pass; 0: now. */
  refusesFor(now: number): number {
    if (!this.isOpen) return 0;
    const left = this.#failedAt + this.#openMs - now;
    if (left > 0) return left;
    return this.#probing ? firstOpenMs : 0;
  }

  /** Lets a request pass, which then either succeeds, fails, or is given up. */
  admit(): Admission {
    if (!this.isOpen) return 'closed';
    this.#probing = true;
    return 'probe';
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openMs = 0;
    this.#probing = false;
  }

  failed(admission: Admission, now: number): void {
    // What was sent before the circuit opened says nothing new.
    if (this.isOpen && admission === 'closed') return;
    this.#failures = now - this.#failedAt > memoryMs && !this.isOpen ? 1 : this.#failures + 1;
    this.#failedAt = now;
    if (admission === 'probe') this.#openMs = Math.min(mostOpenMs, Math.max(firstOpenMs, this.#openMs * 2));
    else if (this.#failures >= failuresToOpen) this.#openMs = firstOpenMs;
    this.#probing = false;
  }

  /** The request ended without saying anything of the destination. */
  gaveUp(admission: Admission): void {
    if (admission === 'probe') this.#probing = false;
  }

  /** Whether it is as good as a new one. */
  isForgettable(now: number): boolean {
    if (this.#failures === 0) return !this.isOpen;
    return now - this.#failedAt > this.#openMs + memoryMs;
  }
}
