import fc from 'fast-check';

/** One thing that is fuzzed. Its inputs are JSON, so that one that was found can be kept. */
export interface Target {
  readonly name: string;
  /** What has to hold for every input. */
  readonly claim: string;
  /** Of a thousand cases, how many it gets. */
  readonly share: number;
  /** @throws for an input for which the claim does not hold; stops at the first. */
  run(seed: number, cases: number): Found | undefined;
  /** @throws Error when the claim does not hold for it */
  replay(input: unknown): void;
}

/** An input for which the claim does not hold, as small as it could be made. */
export interface Found {
  readonly target: string;
  readonly seed: number;
  readonly input: unknown;
  readonly problem: string;
}

/** @param check throws for an input for which the claim does not hold */
export function target<T>(
  name: string,
  claim: string,
  share: number,
  inputs: fc.Arbitrary<T>,
  check: (input: T) => void,
): Target {
  return {
    name,
    claim,
    share,
    run(seed, cases) {
      const details = fc.check(fc.property(inputs, check), { seed, numRuns: cases });
      if (!details.failed) return undefined;
      const problem = details.errorInstance instanceof Error ? details.errorInstance.message : 'failed';
      return { target: name, seed, input: details.counterexample?.[0], problem };
    },
    replay: (input) => check(input as T),
  };
}
