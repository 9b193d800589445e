import { type SignedMarker, isOlder, verifyMarker } from './marker.ts';
import type { PublicKeys } from './public-keys.ts';
import { RefusedRecord } from './record-signature.ts';

/**
 * A marker vouches for this long at least, however short `maxStaleMs` is: control-api signs one every ten seconds, and
 * clocks differ.
 */
const currentMs = 30_000;

export interface LatestMarkerOptions {
  readonly keys: PublicKeys;
  /** The marker's name in Redis. */
  readonly name: string;
  /** A marker that is older vouches for nothing. */
  readonly maxStaleMs: number;
}

/** The latest marker that this process has seen. It never goes back: an older one says that Redis was rolled back. */
export class LatestMarker {
  readonly #options: LatestMarkerOptions;
  #text: string | undefined;
  #marker: SignedMarker | undefined;
  /** Markers are judged in the order in which Redis gave them. */
  #judged: Promise<unknown> = Promise.resolve();

  constructor(options: LatestMarkerOptions) {
    this.#options = options;
  }

  get value(): SignedMarker | undefined {
    return this.#marker;
  }

  /** As it was signed. */
  get text(): string | undefined {
    return this.#text;
  }

  /**
   * The marker by which what was read together with this text is judged. Without a text, as during a rebuild, it is the
   * latest one. Undefined: there is none.
   * @throws RefusedRecord for a text that was not signed, or is older than the latest
   */
  async judge(text: string | undefined): Promise<SignedMarker | undefined> {
    if (text === undefined || text === this.#text) return this.#marker;
    const judged = this.#judged.then(() => this.#advance(text));
    this.#judged = judged.catch(() => undefined);
    return judged;
  }

  /** As of when a marker vouches for what it covers, in milliseconds; undefined: for nothing any more. */
  vouchesAsOf({ signedAt }: SignedMarker): number | undefined {
    const now = Date.now();
    const isVouching = now - signedAt < Math.max(currentMs, this.#options.maxStaleMs);
    // The clock of control-api may be ahead.
    return isVouching ? Math.min(signedAt, now) : undefined;
  }

  async #advance(text: string): Promise<SignedMarker> {
    if (this.#marker !== undefined && text === this.#text) return this.#marker;
    const { keys, name } = this.#options;
    const marker = await verifyMarker(keys, name, text);
    if (marker === undefined)
      throw new RefusedRecord('marker', 'a marker with a signature that does not count');
    if (this.#marker !== undefined && isOlder(marker, this.#marker))
      throw new RefusedRecord('marker', 'a marker older than one that was seen before');
    this.#text = text;
    this.#marker = marker;
    return marker;
  }
}
