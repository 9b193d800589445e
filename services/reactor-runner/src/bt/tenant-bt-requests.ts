import { AppError } from '@glovebox/platform/errors/app-error';

export interface TenantAskLimits {
  /** That one tenant's code has under way. */
  readonly asksPerTenant: number;
  /** Of those together. */
  readonly askedBytesPerTenant: number;
}

interface Share {
  open: number;
  bytes: number;
}

/** How much each tenant's code has asked for and not been answered: no tenant can have all of the vault to itself. */
export class TenantAsks {
  readonly #limits: TenantAskLimits;
  readonly #shares = new Map<string, Share>();

  constructor(limits: TenantAskLimits) {
    this.#limits = limits;
  }

  /** Counts until it is disposed. @throws AppError `rate_limited` */
  enter(tenantId: string, bytes: number): Disposable {
    const share = this.#shares.get(tenantId) ?? { open: 0, bytes: 0 };
    const { asksPerTenant, askedBytesPerTenant } = this.#limits;
    const isTooMuch = share.open > 0 && share.bytes + bytes > askedBytesPerTenant;
    if (share.open >= asksPerTenant || isTooMuch) {
      throw new AppError('rate_limited', 'Too many calls by bt are under way already.');
    }
    this.#shares.set(tenantId, share);
    share.open += 1;
    share.bytes += bytes;
    return {
      [Symbol.dispose]: () => {
        share.open -= 1;
        share.bytes -= bytes;
        if (share.open === 0) this.#shares.delete(tenantId);
      },
    };
  }
}
