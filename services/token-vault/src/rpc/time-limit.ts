import { AppError } from '@glovebox/platform/errors';

const maxMs = 250;

/** Evaluating holds up everyone else: what one call may take of it, whatever its expressions are. */
export class TimeLimit {
  readonly #end = performance.now() + maxMs;

  /** @throws AppError `invalid_argument` when the time is used up. */
  check(): void {
    if (performance.now() < this.#end) return;
    throw new AppError('invalid_argument', 'The expressions of this request take too much work.');
  }
}
