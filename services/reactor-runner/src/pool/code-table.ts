/** Codes that one worker holds; more would be memory for what is hardly used. */
const maxCodes = 64;

export interface CodeEntry {
  readonly codeId: number;
  /** The worker does not have it yet. */
  readonly isNew: boolean;
  /** The id of a code that had to make room. */
  readonly forgotten?: number;
}

/** Which codes a worker has, and the ids under which it has them. Looking a text up costs less than hashing it. */
export class CodeTable {
  readonly #ids = new Map<string, number>();
  #lastId = 0;

  idOf(code: string): CodeEntry {
    const known = this.#ids.get(code);
    if (known !== undefined) {
      if (this.#ids.size === maxCodes) this.#touch(code, known);
      return { codeId: known, isNew: false };
    }
    const forgotten = this.#ids.size < maxCodes ? undefined : this.#evict();
    this.#lastId += 1;
    this.#ids.set(code, this.#lastId);
    return { codeId: this.#lastId, isNew: true, ...(forgotten === undefined ? {} : { forgotten }) };
  }

  /** A map keeps the order of insertion: the most recently used one stands last. */
  #touch(code: string, codeId: number): void {
    this.#ids.delete(code);
    this.#ids.set(code, codeId);
  }

  #evict(): number | undefined {
    const oldest = this.#ids.entries().next().value;
    if (oldest === undefined) return undefined;
    this.#ids.delete(oldest[0]);
    return oldest[1];
  }
}
