import { AppError } from '@glovebox/platform/errors/app-error';

/** Whose the bytes are, and until when they are held: until the response is closed. */
export interface Holder {
  readonly response: { readonly closed: boolean; once(event: 'close', listener: () => void): unknown };
  readonly notes: { readonly tenantId: string | undefined };
}

/** Of each body this much is not counted: what is as small as most are is never refused for what is large. */
export const freeBytes = 65_536;

interface Share {
  readonly tenant: string;
  taken: number;
  counted: number;
}

/**
 * Bounds what bodies take of the process's memory, all at once: each of them has a limit, and a few dozen of the largest are
 * more than a pod has. No tenant gets more than half of it.
 */
export class HeldBytes {
  readonly #max: number;
  #held = 0;
  readonly #tenants = new Map<string, number>();
  readonly #shares = new WeakMap<Holder, Share>();

  constructor(max: number) {
    this.#max = max;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Counts so many bytes more of one request.
   * @throws AppError `rate_limited` for the tenant that holds its share, `unavailable` when there is no room for anyone
   */
  take(holder: Holder, bytes: number): void {
    const share = this.#shareOf(holder);
    share.taken += bytes;
    const more = share.taken - freeBytes - share.counted;
    // Of whom nobody waits for, nothing would tell when it ends.
    if (more <= 0 || holder.response.closed) return;
    const ofTenant = (this.#tenants.get(share.tenant) ?? 0) + more;
    if (this.#held + more > this.#max)
      throw new AppError('unavailable', 'Too many large bodies are under way.');
    if (ofTenant > this.#max / 2)
      throw new AppError('rate_limited', 'Too many large bodies of this tenant are under way.');
    if (share.counted === 0) holder.response.once('close', () => this.#release(share));
    share.counted += more;
    this.#held += more;
    this.#tenants.set(share.tenant, ofTenant);
  }

  /** Counts what a body that was of one size now is, if it is more than what is free. */
  grow(holder: Holder, before: number, after: number): void {
    if (after > freeBytes) this.take(holder, before > freeBytes ? after - before : after);
  }

  #shareOf(holder: Holder): Share {
    let share = this.#shares.get(holder);
    if (share === undefined) {
      share = { tenant: holder.notes.tenantId ?? '', taken: 0, counted: 0 };
      this.#shares.set(holder, share);
    }
    return share;
  }

  #release({ tenant, counted }: Share): void {
    this.#held -= counted;
    const left = (this.#tenants.get(tenant) ?? 0) - counted;
    if (left > 0) this.#tenants.set(tenant, left);
    else this.#tenants.delete(tenant);
  }
}
