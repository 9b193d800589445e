import type { Outcome } from '../calls/open-call.ts';

/** What is done by itself, when it is let in. */
export interface Work {
  readonly admit: (work: () => Promise<Outcome>) => Promise<Outcome>;
  readonly run: () => Promise<Outcome>;
}
