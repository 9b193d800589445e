const firstBytes = 256;

/** Bytes that wait for those that follow them, up to a limit. Its size doubles, so that each byte is copied few times. */
export class Held {
  readonly #limit: number;
  #bytes: Buffer | undefined;
  length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): Buffer {
    return this.#bytes === undefined ? Buffer.alloc(0) : this.#bytes.subarray(0, this.length);
  }

  /** Adds what is behind `from`, as far as the limit allows. */
  add(bytes: Buffer, from: number): void {
    const length = Math.min(this.#limit, this.length + bytes.length - from);
    const held = this.#roomFor(length);
    bytes.copy(held, this.length, from, from + length - this.length);
    this.length = length;
  }

  clear(): void {
    this.#bytes = undefined;
    this.length = 0;
  }

  #roomFor(length: number): Buffer {
    if (this.#bytes !== undefined && this.#bytes.length >= length) return this.#bytes;
    let size = this.#bytes?.length ?? firstBytes;
    while (size < length) size *= 2;
    const larger = Buffer.allocUnsafeSlow(size);
    this.#bytes?.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
    return larger;
  }
}
