import { BadOperation } from './arguments.ts';

/** Things of the host that an isolate holds by number. There is an upper bound to how many. */
export class Handles<Thing extends object> {
  readonly #things = new Map<number, Thing>();
  readonly #kind: string;
  readonly #max: number;
  #lastId = 0;

  constructor(kind: string, max: number) {
    this.#kind = kind;
    this.#max = max;
  }

  open(thing: Thing): number {
    if (this.#things.size >= this.#max)
      throw new BadOperation(`more than ${this.#max} ${this.#kind}s are open`);
    this.#lastId += 1;
    this.#things.set(this.#lastId, thing);
    return this.#lastId;
  }

  get(id: unknown): Thing {
    const thing = this.#things.get(id as number);
    if (thing === undefined) throw new BadOperation(`there is no such ${this.#kind}`);
    return thing;
  }

  close(id: unknown): Thing | undefined {
    const thing = this.#things.get(id as number);
    this.#things.delete(id as number);
    return thing;
  }
}
