/** What writes a request. */
export interface Writer {
  /** The turn in which its connection last became idle. */
  readonly restedSince: number;
  write(): void;
}

/**
 * Writes requests once per iteration of the event loop, all together, after sockets were polled.
 *
 * A connection first rests through a whole poll: what its peer sent without being asked is read by then, and no later
 * request takes it for its answer.
 */
export class WriteTurns {
  #writers: Writer[] = [];
  #isScheduled = false;
  #turn = 0;

  /** A connection begins to rest. @returns for `restedSince` */
  rest(): number {
    this.#schedule();
    return this.#turn;
  }

  add(writer: Writer): void {
    this.#writers.push(writer);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    const writers = this.#writers;
    const turn = this.#turn;
    this.#writers = [];
    this.#turn += 1;
    for (const writer of writers) {
      if (writer.restedSince < turn) writer.write();
      else this.add(writer);
    }
  };
}
