import type { VaultContext } from '../context/vault-context.ts';
import { recentlyErased } from '../store/erasures.ts';

type Forgetting = Pick<VaultContext, 'postgres' | 'keyring' | 'logger'>;

/** A vault that has not been able to look for this long drops the keys of all tenants. */
export const blindMs = 60_000;

/** Drops the keys of tenants that were erased through any vault. */
export class KeyForgetting {
  readonly #vault: Forgetting;
  #forgotten: ReadonlySet<string> = new Set();
  readonly #now: () => number;
  #lookedAt: number;

  constructor(vault: Forgetting, now = () => performance.now()) {
    this.#vault = vault;
    this.#now = now;
    this.#lookedAt = now();
  }

  /** Looks once; to be repeated every second. */
  async look(): Promise<void> {
    const { postgres, keyring, logger } = this.#vault;
    const asked = this.#now();
    try {
      const erased = await recentlyErased(postgres.acrossTenants('erasure'));
      for (const tenantId of erased) if (!this.#forgotten.has(tenantId)) keyring.forget(tenantId);
      this.#forgotten = new Set(erased);
      this.#lookedAt = asked;
    } catch (err) {
      if (this.#now() - this.#lookedAt < blindMs) return;
      keyring.forgetAll();
      logger.warn({ err }, 'it is unknown which tenants were erased: all keys are looked up again');
    }
  }
}
