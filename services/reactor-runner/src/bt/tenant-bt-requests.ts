import { AppError } from '@glovebox/platform/errors/app-error';

export interface TenantBtLimits {
  /** Requests of one tenant's code at once. */
  readonly btRequestsPerTenant: number;
  /** Their bytes together. */
  readonly btRequestBytesPerTenant: number;
}

interface Share {
  open: number;
  bytes: number;
}

/** Limits the unanswered requests of each tenant's code, so that no tenant takes all of the vault's capacity. */
export class TenantBtRequests {
  readonly #limits: TenantBtLimits;
  readonly #shares = new Map<string, Share>();

  constructor(limits: TenantBtLimits) {
    this.#limits = limits;
  }

  /** Counts a request until the result is disposed. @throws AppError `rate_limited` */
  enter(tenantId: string, bytes: number): Disposable {
    const share = this.#shares.get(tenantId) ?? { open: 0, bytes: 0 };
    const { btRequestsPerTenant, btRequestBytesPerTenant } = this.#limits;
    const isTooMuch = share.open > 0 && share.bytes + bytes > btRequestBytesPerTenant;
    if (share.open >= btRequestsPerTenant || isTooMuch) {
      throw new AppError('rate_limited', 'Too many calls by bt are already open.');
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
