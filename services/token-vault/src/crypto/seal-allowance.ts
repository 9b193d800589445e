import { AppError } from '@glovebox/platform/errors/app-error';

/** Seals that are reserved at first, and later: a key that is used once should not cost many. */
const firstBlock = 8192;
const nextBlock = 65_536;
/** Calls that run at the same time seal less than this before the next one looks. */
const spare = 4096;

/**
 * How often this process may still seal under a key. Seals are reserved in the database before they are used, so that
 * the count there is never too low, however many vaults there are and however they end.
 */
export class SealAllowance {
  #left = 0;
  #block = firstBlock;
  #reserving: Promise<boolean> | undefined;

  /** Counts a seal. @throws AppError when none is left, which is an excess of work at the same moment */
  spend(): void {
    if (this.#left <= 0) throw new AppError('unavailable', 'Too much is being sealed at once. Try again.');
    this.#left -= 1;
  }

  /**
   * Reserves more seals when few are left.
   * @param reserve adds to the count in the database; false: the key has reached its limit
   */
  async ensure(reserve: (seals: number) => Promise<boolean>): Promise<boolean> {
    if (this.#left > spare) return true;
    this.#reserving ??= this.#reserve(reserve).finally(() => {
      this.#reserving = undefined;
    });
    return this.#reserving;
  }

  async #reserve(reserve: (seals: number) => Promise<boolean>): Promise<boolean> {
    const seals = this.#block;
    if (!(await reserve(seals))) return false;
    this.#left += seals;
    this.#block = nextBlock;
    return true;
  }
}
