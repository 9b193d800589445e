/**
 * Finds many patterns in one pass: the automaton of Aho and Corasick. It is built for one request, so building is
 * cheap: transitions are entries of one hash table. A symbol is a number below 256, a state a number; 0 is the root.
 */
export class Automaton {
  /** Of each state, the length of the longest text that may go on, and that of the longest pattern that ends there. */
  readonly depth: Int32Array;
  readonly found: Int32Array;
  readonly #keys: Int32Array;
  readonly #next: Int32Array;
  readonly #mask: number;
  readonly #fail: Int32Array;
  /** Number of the pattern's owner, from 1; 0 for none. */
  readonly #owner: Int32Array;
  /** The states from the root downwards. */
  readonly #order: Int32Array;

  /** @param patterns texts of characters below 256, each with the number of what it is a pattern of, from 0 */
  constructor(patterns: readonly (readonly [text: string, owner: number])[]) {
    let most = 1;
    for (const [text] of patterns) most += text.length;
    let size = 64;
    while (size < most * 2) size *= 2;
    this.#mask = size - 1;
    this.#keys = new Int32Array(size);
    this.#next = new Int32Array(size);
    const depth = new Int32Array(most);
    const parent = new Int32Array(most);
    const symbol = new Uint8Array(most);
    const owner = new Int32Array(most);
    let count = 1;
    let deepest = 0;
    for (const [text, of] of patterns) {
      let state = 0;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        let next = this.#find(state, code);
        if (next === 0) {
          next = count++;
          this.#insert(state, code, next);
          depth[next] = at + 1;
          parent[next] = state;
          symbol[next] = code;
        }
        state = next;
      }
      owner[state] = of + 1;
      if (text.length > deepest) deepest = text.length;
    }
    this.depth = depth.subarray(0, count);
    this.#owner = owner.subarray(0, count);
    this.#fail = new Int32Array(count);
    this.found = new Int32Array(count);
    this.#order = byDepth(this.depth, deepest);
    for (const state of this.#order) {
      if (depth[state]! > 1) this.#fail[state] = this.step(this.#fail[parent[state]!]!, symbol[state]!);
    }
    this.passOver(new Set());
  }

  step(from: number, symbol: number): number {
    let state = from;
    for (;;) {
      const next = this.#find(state, symbol);
      if (next !== 0 || state === 0) return next;
      state = this.#fail[state]!;
    }
  }

  /** From now on the patterns of these owners are not found. */
  passOver(owners: ReadonlySet<number>): void {
    for (const state of this.#order) {
      const owner = this.#owner[state]!;
      const ends = owner !== 0 && !owners.has(owner - 1);
      this.found[state] = ends ? this.depth[state]! : this.found[this.#fail[state]!]!;
    }
  }

  /** Adds the owners of all patterns that end in this state. A state that was asked for before is left out. */
  collect(state: number, asked: Uint8Array, owners: Set<number>): void {
    for (let at = state; at !== 0 && asked[at] === 0; at = this.#fail[at]!) {
      asked[at] = 1;
      const owner = this.#owner[at]!;
      if (owner !== 0) owners.add(owner - 1);
    }
  }

  /** 0 for none: the root follows nothing. */
  #find(state: number, symbol: number): number {
    const key = state * 256 + symbol + 1;
    for (let at = hash(key) & this.#mask; ; at = (at + 1) & this.#mask) {
      const there = this.#keys[at]!;
      if (there === key) return this.#next[at]!;
      if (there === 0) return 0;
    }
  }

  #insert(state: number, symbol: number, next: number): void {
    const key = state * 256 + symbol + 1;
    let at = hash(key) & this.#mask;
    while (this.#keys[at] !== 0) at = (at + 1) & this.#mask;
    this.#keys[at] = key;
    this.#next[at] = next;
  }
}

const hash = (key: number) => Math.imul(key, 0x9e3779b1) >>> 7;

/** All states but the root, the nearer to it the earlier. */
function byDepth(depth: Int32Array, deepest: number): Int32Array {
  const starts = new Int32Array(deepest + 2);
  for (let state = 1; state < depth.length; state += 1) starts[depth[state]! + 1]! += 1;
  for (let at = 1; at < starts.length; at += 1) starts[at]! += starts[at - 1]!;
  const order = new Int32Array(depth.length - 1);
  for (let state = 1; state < depth.length; state += 1) {
    const place = starts[depth[state]!]!;
    order[place] = state;
    starts[depth[state]!] = place + 1;
  }
  return order;
}
