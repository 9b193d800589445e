import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { AppError } from '@glovebox/platform/errors/app-error';

/** The request whose bytes are held until its response is closed. */
export interface Holder {
  readonly response: { readonly closed: boolean; once(event: 'close', listener: () => void): unknown };
  readonly logFields: { readonly tenantId: string | undefined };
}

/** So much of each body is not counted: large bodies never keep out small ones. */
export const freeBytes = 65_536;

interface Share {
  readonly tenant: string;
  taken: number;
  counted: number;
}

/**
 * Bounds the memory of all bodies at once: each of them has a limit, but a few dozen of the largest are more than a pod
 * has. No tenant gets more than half of it.
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
    // A closed response never emits `close` again.
    if (more <= 0 || holder.response.closed) return;
    const ofTenant = (this.#tenants.get(share.tenant) ?? 0) + more;
    if (this.#held + more > this.#max)
      throw new AppError('unavailable', 'Too many large bodies are being processed.');
    if (ofTenant > this.#max / 2)
      throw new AppError('rate_limited', 'Too many large bodies of this tenant are being processed.');
    if (share.counted === 0) holder.response.once('close', () => this.#release(share));
    share.counted += more;
    this.#held += more;
    this.#tenants.set(share.tenant, ofTenant);
  }

  /** Counts the growth of a body, as far as it is more than what is free. */
  grow(holder: Holder, before: number, after: number): void {
    if (after > freeBytes) this.take(holder, before > freeBytes ? after - before : after);
  }

  #shareOf(holder: Holder): Share {
    let share = this.#shares.get(holder);
    if (share === undefined) {
      share = { tenant: holder.logFields.tenantId ?? '', taken: 0, counted: 0 };
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

setFlagsFromString('--expose-gc');
const collectGarbage: (options: { type: 'minor' }) => void = runInNewContext('gc');

const everyBytes = 4 * 1024 * 1024;
let passed = 0;

/**
 * Counts a chunk of a body that is passed on. V8 sees only the small objects that stand for chunks, so it lets some 50
 * MB of them pile up and then stops for a full collection. A young one after every 4 MB keeps a large body's memory
 * below 10 MB, and takes less CPU in sum.
 */
export function countPassedChunk(bytes: number): void {
  passed += bytes;
  if (passed < everyBytes) return;
  passed = 0;
  collectGarbage({ type: 'minor' });
}
