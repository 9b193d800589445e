import type { Certificate, Erasure } from './erasures.ts';

/** How far the vault is. */
export interface VaultErasure {
  readonly keysDestroyedAt: Date;
  /** Undefined until nothing of the tenant is left anywhere. */
  readonly certificate: Certificate | undefined;
}

/** The vault, as far as it erases tenants. */
export interface TenantEraser {
  /**
   * Destroys the tenant's keys, unless that has been done, and reports the vault's progress.
   * @throws AppError `unavailable`
   */
  erase(erasure: Erasure): Promise<VaultErasure>;
}
