/** Where a value is in a stream: places from its first byte. */
export interface Found {
  readonly from: number;
  readonly to: number;
}

export const nothing: readonly Found[] = [];

/** The ranges that one automaton finds, which are joined where they overlap; their ends ascend. */
export class Ranges {
  #ranges: Found[] | undefined;

  add(from: number, to: number): void {
    const ranges = (this.#ranges ??= []);
    let begin = from;
    for (let last = ranges.at(-1); last !== undefined && last.to >= begin; last = ranges.at(-1)) {
      if (last.from < begin) begin = last.from;
      ranges.pop();
    }
    ranges.push({ from: begin, to });
  }

  /** Those since it was asked before. */
  take(): readonly Found[] {
    const ranges = this.#ranges ?? nothing;
    this.#ranges = undefined;
    return ranges;
  }
}
