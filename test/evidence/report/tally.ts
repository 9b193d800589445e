/** Counts attempts by door and kind, and keeps what went wrong. */
export class Tally {
  readonly failures: string[] = [];
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param problem what was wrong, or nothing */
  note(door: string, kind: string, problem?: string): void {
    const kinds = this.#counts.get(door) ?? new Map<string, number>();
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    this.#counts.set(door, kinds);
    if (problem !== undefined) this.failures.push(`${door}, ${kind}: ${problem}`);
  }

  get cases(): number {
    return this.doors.reduce((sum, { count }) => sum + count, 0);
  }

  get doors(): { readonly name: string; readonly count: number }[] {
    return [...this.#counts].map(([name, kinds]) => ({
      name,
      count: [...kinds.values()].reduce((sum, count) => sum + count, 0),
    }));
  }

  /** A row for each door and kind: how many attempts. */
  get pairs(): string[][] {
    return [...this.#counts].flatMap(([door, kinds]) =>
      [...kinds].map(([kind, count]) => [door, kind, count.toLocaleString('en')]),
    );
  }

  /** A row for each kind: how many attempts at each door. */
  get rows(): string[][] {
    const kinds = new Set([...this.#counts.values()].flatMap((counts) => [...counts.keys()]));
    return [...kinds].map((kind) => [
      kind,
      ...[...this.#counts.values()].map((counts) => String(counts.get(kind) ?? '')),
    ]);
  }
}
