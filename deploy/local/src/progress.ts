/** Reports progress on the terminal. */
export interface Progress {
  /** Runs one step and prints a line when it is done; a slow step is announced while it still runs. */
  step<T>(name: string, run: () => Promise<T>, detail?: (result: T) => string): Promise<T>;
  note(text: string): void;
  problem(text: string): void;
  secondsSoFar(): string;
}

const slowMs = 2_500;

export function createProgress(out: NodeJS.WritableStream): Progress {
  const startedAt = performance.now();
  const since = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const line = (mark: string, text: string) => void out.write(`  ${mark} ${text}\n`);
  return {
    async step(name, run, detail) {
      const begun = performance.now();
      const slow = setInterval(() => line('…', `${name}: still working, ${since(begun)}`), slowMs);
      try {
        const result = await run();
        const more = detail === undefined ? '' : `: ${detail(result)}`;
        line('✓', `${name}${more} (${since(begun)})`);
        return result;
      } catch (error) {
        line('✗', name);
        throw error;
      } finally {
        clearInterval(slow);
      }
    },
    note: (text) => line('·', text),
    problem: (text) => line('!', text),
    secondsSoFar: () => since(startedAt),
  };
}
