import { LRUCache } from 'lru-cache';

import { RefusedRecord } from './record-signature.ts';

/** The outcome of reading a published record. */
export type Reading<T> =
  | Found<T>
  /** The projection is whole and does not hold the record. */
  | ({ readonly outcome: 'absent' } & Confirmed)
  /** Unknown: no connection, no answer in time, or a projection that is not whole. */
  | { readonly outcome: 'unavailable'; readonly cause: unknown }
  /** There is something that control-api has not published, or not as the latest. */
  | { readonly outcome: 'refused'; readonly cause: RefusedRecord };

interface Confirmed {
  /** Nothing with a smaller one may follow; absent for what has none. */
  readonly sequence?: number | undefined;
  /** As of when this was true, in milliseconds; now, if absent. */
  readonly confirmedAt?: number | undefined;
}

export interface Found<T> extends Confirmed {
  readonly outcome: 'found';
  readonly value: T;
  /** Of the bytes that were read. */
  readonly digest?: string | undefined;
}

/** What is known of a record that is read again. The same bytes need not be verified twice. */
export type Kept<T> = Pick<Found<T>, 'digest' | 'sequence'> & { readonly value: T | undefined };

export interface RecordCacheOptions {
  /** Most records kept, absent ones included. */
  readonly maxEntries: number;
  /** A record is read again after this, even when no change was announced. Jittered by a fifth. */
  readonly freshMs: number;
  /** For how long a record that cannot be read again is used after it was last confirmed. */
  readonly maxStaleMs: number;
  /** After a failed read, stale records are served this long without another attempt. */
  readonly retryAfterMs: number;
  /** Called for a record that was signed, but superseded by one that this cache has seen. */
  readonly onSuperseded?: (error: RefusedRecord) => void;
  readonly now?: () => number;
}

interface Entry<T> {
  readonly value: T | undefined;
  readonly digest: string | undefined;
  /** False: only the sequence is known, since a change was announced or nothing was ever accepted. */
  readonly isKnown: boolean;
  readonly sequence: number | undefined;
  readonly confirmedAt: number;
  readonly freshUntil: number;
  readonly generation: number;
  /** What was read last was refused. */
  readonly refusal?: RefusedRecord;
}

/**
 * Caches published records, absent ones too: fresh for a while, one read per key at a time, and stale for a bounded
 * time when nothing can be read. An announced change drops its record at once; a read that was in progress by then is
 * answered but not cached. What was superseded never comes back: of each record the cache remembers how far it was.
 */
export class RecordCache<T extends object> {
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #loads = new Map<string, Promise<T | undefined>>();
  readonly #read: (key: string, kept: Kept<T> | undefined) => Promise<Reading<T>>;
  readonly #recall: ((key: string) => Promise<Found<T> | undefined>) | undefined;
  readonly #unavailable: (cause: unknown) => Error;
  readonly #options: RecordCacheOptions;
  readonly #now: () => number;
  #generation = 0;
  #retryAt = 0;

  /** @param recall what was read by an earlier process, for when nothing can be read */
  constructor(
    read: (key: string, kept: Kept<T> | undefined) => Promise<Reading<T>>,
    unavailable: (cause: unknown) => Error,
    options: RecordCacheOptions,
    recall?: (key: string) => Promise<Found<T> | undefined>,
  ) {
    this.#recall = recall;
    this.#read = read;
    this.#unavailable = unavailable;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#entries = new LRUCache({ max: options.maxEntries });
  }

  /** The record, or undefined when there is none; at once when a fresh one is at hand. Rejects when unavailable. */
  get(key: string): T | undefined | Promise<T | undefined> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.generation === this.#generation && this.#now() < entry.freshUntil) {
      return entry.refusal === undefined ? entry.value : this.#insteadOf(entry.refusal, entry);
    }
    return this.#loads.get(key) ?? this.#load(key, entry);
  }

  /** Drops one record: a change of it was announced. */
  invalidate(key: string): void {
    this.#loads.delete(key);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const { sequence, generation } = entry;
    const nothing = { value: undefined, digest: undefined, isKnown: false, confirmedAt: 0, freshUntil: 0 };
    this.#entries.set(key, { ...nothing, sequence, generation });
  }

  /** Announcements may have been missed: every record is read again before it counts as fresh. */
  doubtAll(): void {
    this.#generation += 1;
    this.#loads.clear();
    this.#retryAt = 0;
  }

  get size(): number {
    return this.#entries.size;
  }

  #load(key: string, known: Entry<T> | undefined): Promise<T | undefined> | T | undefined {
    const now = this.#now();
    if (now < this.#retryAt && this.#mayServeStale(known, now)) return known.value;
    const generation = this.#generation;
    const flight: { load?: Promise<T | undefined> } = {};
    flight.load = this.#read(key, known).then((reading) => {
      const keep = this.#loads.get(key) === flight.load && generation === this.#generation;
      if (keep) this.#loads.delete(key);
      return this.#settle(key, reading, keep ? generation : undefined);
    });
    this.#loads.set(key, flight.load);
    return flight.load;
  }

  #settle(
    key: string,
    reading: Reading<T>,
    generation: number | undefined,
  ): T | undefined | Promise<T | undefined> {
    const now = this.#now();
    const known = this.#entries.peek(key);
    if (reading.outcome === 'unavailable') {
      this.#retryAt = now + this.#options.retryAfterMs;
      // A doubt or an announcement may have come meanwhile: an announced change has left nothing that is known.
      if (this.#mayServeStale(known, now)) return known.value;
      return this.#remember(key, known, reading.cause, generation);
    }
    if (reading.outcome === 'refused') return this.#refuse(key, known, reading.cause, generation);
    if (isBefore(reading, known)) {
      const cause = new RefusedRecord('superseded', 'a record that was superseded before');
      if (generation !== undefined) this.#options.onSuperseded?.(cause);
      return this.#refuse(key, known, cause, generation);
    }
    const { sequence, confirmedAt = now } = reading;
    const { value, digest } = reading.outcome === 'found' ? reading : { value: undefined, digest: undefined };
    if (generation !== undefined) {
      const freshUntil = now + this.#options.freshMs * (0.8 + Math.random() * 0.2);
      const entry = { value, digest, isKnown: true, sequence, confirmedAt, freshUntil, generation };
      this.#entries.set(key, entry);
    }
    return value;
  }

  async #remember(
    key: string,
    known: Entry<T> | undefined,
    cause: unknown,
    generation: number | undefined,
  ): Promise<T> {
    const recalled = await this.#recall?.(key);
    const now = this.#now();
    const { value, sequence, confirmedAt = 0 } = recalled ?? {};
    // What is known to have changed is not what was remembered.
    const isNewer = known?.sequence === undefined || (sequence ?? 0) > known.sequence;
    if (value === undefined || !isNewer || now - confirmedAt >= this.#options.maxStaleMs)
      throw this.#unavailable(cause);
    if (generation === this.#generation && this.#entries.peek(key) === known) {
      const freshUntil = now + this.#options.retryAfterMs;
      const entry = {
        value,
        digest: undefined,
        isKnown: true,
        sequence,
        confirmedAt,
        freshUntil,
        generation,
      };
      this.#entries.set(key, entry);
    }
    return value;
  }

  /** Not read again for a moment: a bad record must not cost a verification with every request. */
  #refuse(
    key: string,
    known: Entry<T> | undefined,
    refusal: RefusedRecord,
    generation: number | undefined,
  ): T | undefined | Promise<T | undefined> {
    if (generation === undefined) return this.#insteadOf(refusal, known);
    const nothing = {
      value: undefined,
      digest: undefined,
      isKnown: false,
      sequence: undefined,
      confirmedAt: 0,
    };
    const freshUntil = this.#now() + this.#options.retryAfterMs;
    const entry = { ...nothing, ...known, freshUntil, generation, refusal };
    this.#entries.set(key, entry);
    if (this.#mayServeStale(known, this.#now())) return known.value;
    return this.#remember(key, entry, refusal, generation);
  }

  async #insteadOf(refusal: RefusedRecord, known: Entry<T> | undefined): Promise<T | undefined> {
    if (this.#mayServeStale(known, this.#now())) return known.value;
    throw this.#unavailable(refusal);
  }

  #mayServeStale(known: Entry<T> | undefined, now: number): known is Entry<T> {
    return known?.isKnown === true && now - known.confirmedAt < this.#options.maxStaleMs;
  }
}

function isBefore({ sequence }: Confirmed, known: Confirmed | undefined): boolean {
  return sequence !== undefined && known?.sequence !== undefined && sequence < known.sequence;
}
