import { AppError } from '@glovebox/platform/errors/app-error';

const mostOfTenant = 20;
const mostOfAll = 500;

/** The streams of events that are open at this service. */
export class LiveStreams implements Disposable {
  readonly #ofTenants = new Map<string, number>();
  readonly #closing = new AbortController();
  #count = 0;

  /** Aborts when the service stops: its streams end, and clients open them anew elsewhere. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Takes a place until it is disposed. @throws AppError `rate_limited` */
  open(tenantId: string): Disposable {
    const ofTenant = this.#ofTenants.get(tenantId) ?? 0;
    if (ofTenant >= mostOfTenant || this.#count >= mostOfAll) {
      throw new AppError('rate_limited', `A tenant may follow ${mostOfTenant} streams at once.`);
    }
    this.#ofTenants.set(tenantId, ofTenant + 1);
    this.#count += 1;
    return { [Symbol.dispose]: () => this.#leave(tenantId) };
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
  }

  #leave(tenantId: string): void {
    const left = (this.#ofTenants.get(tenantId) ?? 1) - 1;
    if (left === 0) this.#ofTenants.delete(tenantId);
    else this.#ofTenants.set(tenantId, left);
    this.#count -= 1;
  }
}
