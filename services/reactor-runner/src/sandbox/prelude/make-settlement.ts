import type { SettledAs } from './settled-as.ts';

/** What becomes of the one invocation that goes on in the isolate. */
export interface Settlement {
  /** Starts the next invocation and gives its number; what an earlier one does from now on counts for nothing. */
  readonly begin: () => number;
  /** The number of the invocation that goes on. */
  readonly current: () => number;
  /** Throws what the value's own code throws while it is put into JSON. */
  readonly succeed: (which: number, value: unknown) => void;
  readonly fail: (which: number, thrown: unknown) => void;
  readonly settle: (which: number, text: string) => void;
  /** A text as in settled-as.ts; undefined when it has not settled. */
  readonly take: () => string | undefined;
}

export interface SettlementParts {
  readonly describe: (thrown: unknown) => string;
  readonly onSettled: () => void;
  readonly settledAs: SettledAs;
  readonly maxResultLength: number;
}

export function makeSettlement({
  describe,
  onSettled,
  settledAs,
  maxResultLength,
}: SettlementParts): Settlement {
  const { stringify } = JSON;
  let current = 0;
  let settled: string | undefined;

  function settle(which: number, text: string): void {
    if (which !== current || settled !== undefined) return;
    settled = text;
    onSettled();
  }

  return {
    begin() {
      settled = undefined;
      current += 1;
      return current;
    },
    current: () => current,
    succeed(which, value) {
      const text: string | undefined = stringify(value);
      if (text === undefined) settle(which, settledAs.returnedUndefined);
      else if (text.length > maxResultLength) settle(which, settledAs.resultTooLarge);
      else settle(which, text);
    },
    fail(which, thrown) {
      settle(which, settledAs.threw + describe(thrown));
    },
    settle,
    take: () => settled,
  };
}
