import { BadOperation } from './arguments.ts';

/** Things of the host that an isolate holds by number. Of too many the oldest goes: most likely it was only forgotten. */
export class Handles<Thing extends object> {
  readonly #things = new Map<unknown, Thing>();
  readonly #kind: string;
  readonly #max: number;
  readonly #end: (thing: Thing) => void;
  #lastId = 0;

  constructor(kind: string, max: number, end: (thing: Thing) => void = () => {}) {
    this.#kind = kind;
    this.#max = max;
    this.#end = end;
  }

  open(thing: Thing): number {
    if (this.#things.size >= this.#max) this.close(this.#things.keys().next().value);
    this.#lastId += 1;
    this.#things.set(this.#lastId, thing);
    return this.#lastId;
  }

  get(id: unknown): Thing {
    const thing = this.#things.get(id);
    if (thing === undefined)
      throw new BadOperation(
        `there is no such ${this.#kind}, or more than ${this.#max} were opened after it`,
      );
    return thing;
  }

  close(id: unknown): void {
    const thing = this.#things.get(id);
    if (thing === undefined) return;
    this.#things.delete(id);
    this.#end(thing);
  }
}
