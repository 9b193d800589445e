import { BadOperation } from './arguments.ts';

/** As many as libuv has threads: more would wait for these, where nothing can be called off. */
const atOnce = 4;

interface Waiting {
  readonly begin: () => void;
  readonly callOff: (error: Error) => void;
}

/** What is done by libuv's threads for one isolate, a few at a time. */
export class WorkQueue {
  #waiting: Waiting[] = [];
  #underWay = 0;

  /** Rejects with BadOperation when it is called off before it has begun. */
  do<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ begin: () => void this.#begin(work).then(resolve, reject), callOff: reject });
      this.#next();
    });
  }

  /** Drops what has not begun. */
  callOff(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { callOff } of waiting) callOff(new BadOperation('it was called off'));
  }

  async #begin<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#next();
    }
  }

  #next(): void {
    if (this.#underWay < atOnce) this.#waiting.shift()?.begin();
  }
}
