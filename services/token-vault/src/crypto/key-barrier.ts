import { collectGarbage } from './collect-garbage.ts';
import { VaultSealed } from './vault-sealed.ts';

/**
 * Between a process and all of its keys. While it is closed no key is unwrapped or made, and as it closes, everything
 * that holds keys drops them. It begins closed: a vault must know first that it is not sealed.
 */
export class KeyBarrier {
  readonly #drops: (() => void)[] = [];
  #state: 'unknown' | 'open' | 'sealed' = 'unknown';

  /** One that nothing closes. */
  static opened(): KeyBarrier {
    const barrier = new KeyBarrier();
    barrier.open();
    return barrier;
  }

  get state(): 'unknown' | 'open' | 'sealed' {
    return this.#state;
  }

  /** @throws VaultSealed */
  requireOpen(): void {
    if (this.#state !== 'open') throw new VaultSealed();
  }

  /** @param drop drops all keys that the caller holds */
  onDrop(drop: () => void): void {
    this.#drops.push(drop);
  }

  open(): void {
    this.#state = 'open';
  }

  seal(): void {
    const wasSealed = this.#state === 'sealed';
    this.#state = 'sealed';
    // Repeated for what was being kept just then.
    if (wasSealed) for (const drop of this.#drops) drop();
    else this.drop();
  }

  /** Drops all keys. Unless it is sealed, they are unwrapped again when they are needed. */
  drop(): void {
    for (const drop of this.#drops) drop();
    // Node overwrites the bytes of a key when it is collected, which could take long in a vault that does nothing.
    collectGarbage();
  }
}
