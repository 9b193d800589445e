/** Texts that arrive while they are read. */
export class Arrivals {
  readonly #texts: string[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #error: unknown;

  push(text: string): void {
    if (text !== '') this.#texts.push(text);
    this.#wake?.();
  }

  /** @param last what has not arrived before */
  end(last: string): void {
    this.#ended = true;
    this.push(last);
  }

  fail(error: unknown): void {
    this.#error = error;
    this.end('');
  }

  /** @throws what it failed with, when all has been read */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const text = this.#texts.shift();
      if (text !== undefined) yield text;
      else if (this.#error !== undefined) throw this.#error;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
