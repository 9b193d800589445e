/**
 * A map for entries that come and go thousands of times a second, in the order of insertion.
 *
 * V8's own Map gets a new table whenever the old one is full of deleted entries, and the old one keeps pointing to the
 * new one. Once a full collection has moved one of these tables to the old generation, it and its successors stay
 * until the next full collection, with nearly every value that was ever in them. Here the tables hold numbers, and the
 * values are stored where they do not outlive their entry. The tables hold the keys, so these should be numbers or
 * short strings.
 */
export class BusyMap<Key extends number | string, Value> {
  readonly #places = new Map<Key, number>();
  #values: (Value | undefined)[] = [];
  #free: number[] = [];

  get size(): number {
    return this.#places.size;
  }

  has(key: Key): boolean {
    return this.#places.has(key);
  }

  get(key: Key): Value | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#values[place];
  }

  set(key: Key, value: Value): void {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#free.pop() ?? this.#values.length;
      this.#places.set(key, place);
    }
    this.#values[place] = value;
  }

  /** @returns whether it was there. */
  delete(key: Key): boolean {
    const place = this.#places.get(key);
    if (place === undefined) return false;
    this.#places.delete(key);
    this.#values[place] = undefined;
    this.#free.push(place);
    return true;
  }

  clear(): void {
    this.#places.clear();
    this.#values = [];
    this.#free = [];
  }

  /** The oldest value; undefined when it is empty. */
  first(): Value | undefined {
    const { value: place } = this.#places.values().next();
    return place === undefined ? undefined : this.#values[place];
  }

  /** In the order of insertion, without entries deleted meanwhile. */
  *values(): Generator<Value> {
    for (const place of this.#places.values()) yield this.#values[place]!;
  }
}
