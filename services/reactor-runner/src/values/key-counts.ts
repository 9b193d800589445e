/** Counts what is in progress, by key. */
export class KeyCounts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Counts one more until the result is disposed. Undefined when the key has `most` already. */
  enter(key: string, most: number): Disposable | undefined {
    if (this.of(key) >= most) return undefined;
    this.#counts.set(key, this.of(key) + 1);
    return { [Symbol.dispose]: () => this.#leave(key) };
  }

  #leave(key: string): void {
    const left = this.of(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}
