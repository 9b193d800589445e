import { BusyMap } from '@glovebox/platform/values/busy-map';

/** A queue in which keys take turns; of one key, what came first is first. */
export class FairQueue<Item> {
  /** The key whose turn is next comes first. */
  readonly #byKey = new Map<string, BusyMap<number, Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Of one key. */
  sizeOf(key: string): number {
    return this.#byKey.get(key)?.size ?? 0;
  }

  /** @param number of the item, unique in the queue and larger than those before */
  add(key: string, number: number, item: Item): void {
    let items = this.#byKey.get(key);
    if (items === undefined) {
      items = new BusyMap();
      this.#byKey.set(key, items);
    }
    items.set(number, item);
    this.#size += 1;
  }

  /** The next item of a key that fits. */
  next(fits: (key: string) => boolean): Item | undefined {
    for (const [key, items] of this.#byKey) if (fits(key)) return items.first();
    return undefined;
  }

  /** The item of a key that came last. */
  last(key: string): Item | undefined {
    return [...(this.#byKey.get(key)?.values() ?? [])].at(-1);
  }

  /** Takes an item out; it is another key's turn. @returns whether it was there */
  delete(key: string, number: number): boolean {
    const items = this.#byKey.get(key);
    if (items === undefined || !items.delete(number)) return false;
    this.#size -= 1;
    if (items.size === 0) this.#byKey.delete(key);
    else if (this.#byKey.size > 1) {
      this.#byKey.delete(key);
      this.#byKey.set(key, items);
    }
    return true;
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  *values(): Generator<Item> {
    for (const items of this.#byKey.values()) yield* items.values();
  }
}
