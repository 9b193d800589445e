import { Writable, type Duplex } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

import { LeakSearch } from '@glovebox/platform/redaction/leak-search';

import { freeBytes } from '../http/body/body-memory.ts';
import { type ContentCoding, codingOf } from '../http/body/content-codings.ts';
import { LeakFilter } from './leak-filter.ts';
import { type ResponseGuard, cannotSearch } from './response-guard.ts';

/** Who takes what passes. */
export interface BodySink {
  /** @returns false when it wants no more until `whenReady` */
  pass(chunk: Buffer): boolean;
  whenReady(next: () => void): void;
  /** More of the body is searched, or something was found in it. */
  onSearched(): void;
  /** Nothing more may pass. */
  fail(error: unknown): void;
}

/** The body of an answer on its way through the guard. */
export interface GuardedBody {
  /** Its length is another than that of what came. */
  readonly isRewritten: boolean;
  /** Decoded bytes that were searched so far; infinite when nothing more will be. */
  readonly searched: number;
  /** @returns false when it wants no more until `whenReady` */
  push(chunk: Buffer): boolean;
  whenReady(next: () => void): void;
  /** The body is complete. @returns when all of it is searched and was passed on; never rejects */
  end(): Promise<void> | undefined;
  /** The rest is not wanted. */
  destroy(): void;
}

/**
 * @param contentEncoding of the body; undefined for none
 * @param maxRatio how many times as many bytes may come out of it, beyond what is free
 * @throws AppError `response_leaks_value` for one that cannot be searched and may not pass without
 */
export function guardBody(
  guard: ResponseGuard,
  contentEncoding: string | undefined,
  maxRatio: number,
  sink: BodySink,
): GuardedBody {
  if (contentEncoding === undefined || /^\s*(?:identity\s*)?$/i.test(contentEncoding))
    return guard.mode === 'report' ? new WatchedBody(guard, sink) : new FilteredBody(guard, sink);
  const coding = codingOf(contentEncoding);
  if (coding !== undefined)
    return guard.mode === 'report'
      ? new WatchedCodedBody(guard, coding, maxRatio, sink)
      : new FilteredCodedBody(guard, coding, maxRatio, sink);
  if (guard.mode !== 'report') throw cannotSearch();
  guard.unsearched = true;
  return new UnsearchedBody(sink);
}

class UnsearchedBody implements GuardedBody {
  readonly isRewritten = false;
  readonly searched: number = Number.POSITIVE_INFINITY;
  readonly #sink: BodySink;

  constructor(sink: BodySink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): boolean {
    return this.#sink.pass(chunk);
  }

  whenReady(next: () => void): void {
    this.#sink.whenReady(next);
  }

  end(): undefined {}

  destroy(): void {}
}

/** Passes as it is. */
class WatchedBody implements GuardedBody {
  readonly isRewritten = false;
  searched = 0;
  readonly #guard: ResponseGuard;
  readonly #sink: BodySink;
  readonly #search: LeakSearch;

  constructor(guard: ResponseGuard, sink: BodySink) {
    this.#guard = guard;
    this.#sink = sink;
    this.#search = new LeakSearch(guard.patterns);
  }

  push(chunk: Buffer): boolean {
    if (this.#search.push(chunk).length > 0) this.#guard.inBody = true;
    this.searched += chunk.length;
    return this.#sink.pass(chunk);
  }

  whenReady(next: () => void): void {
    this.#sink.whenReady(next);
  }

  end(): undefined {}

  destroy(): void {}
}

/** Passes without values, or is refused. */
class FilteredBody implements GuardedBody {
  readonly isRewritten = false;
  searched = 0;
  readonly #sink: BodySink;
  readonly #filter: LeakFilter;

  constructor(guard: ResponseGuard, sink: BodySink) {
    this.#sink = sink;
    this.#filter = new LeakFilter(guard);
  }

  push(chunk: Buffer): boolean {
    try {
      const passing = this.#filter.push(chunk);
      this.searched += chunk.length;
      return passAll(this.#sink, passing);
    } catch (error) {
      this.#sink.fail(error);
      return true;
    }
  }

  whenReady(next: () => void): void {
    this.#sink.whenReady(next);
  }

  end(): undefined {
    passAll(this.#sink, this.#filter.finish());
  }

  destroy(): void {}
}

function passAll(sink: BodySink, chunks: readonly Buffer[]): boolean {
  let ready = true;
  for (const chunk of chunks) ready = sink.pass(chunk);
  return ready;
}

/** Decodes what comes, up to a limit. */
class Decoding {
  received = 0;
  decoded = 0;
  readonly decoder: Duplex;
  readonly #maxRatio: number;

  constructor(coding: ContentCoding, maxRatio: number) {
    this.decoder = coding.decoder();
    this.#maxRatio = maxRatio;
  }

  push(chunk: Buffer): boolean {
    this.received += chunk.length;
    return this.decoder.destroyed || this.decoder.write(chunk);
  }

  whenReady(next: () => void): void {
    if (this.decoder.destroyed) return next();
    const ready = () => {
      this.decoder.off('drain', ready);
      this.decoder.off('close', ready);
      next();
    };
    this.decoder.on('drain', ready);
    this.decoder.on('close', ready);
  }

  /** @throws AppError `response_leaks_value` for content that a few bytes stand for */
  count(chunk: Buffer): void {
    this.decoded += chunk.length;
    if (this.decoded > Math.max(freeBytes, this.received * this.#maxRatio)) throw cannotSearch();
  }
}

/** Passes as it is, while a copy is decoded and searched. */
class WatchedCodedBody implements GuardedBody {
  readonly isRewritten = false;
  searched = 0;
  readonly #guard: ResponseGuard;
  readonly #sink: BodySink;
  readonly #decoding: Decoding;
  readonly #done: Promise<void>;

  constructor(guard: ResponseGuard, coding: ContentCoding, maxRatio: number, sink: BodySink) {
    this.#guard = guard;
    this.#sink = sink;
    this.#decoding = new Decoding(coding, maxRatio);
    this.#done = this.#searchAll();
  }

  push(chunk: Buffer): boolean {
    const ready = this.#decoding.push(chunk);
    return this.#sink.pass(chunk) && ready;
  }

  whenReady(next: () => void): void {
    this.#decoding.whenReady(() => this.#sink.whenReady(next));
  }

  end(): Promise<void> {
    this.#decoding.decoder.end();
    return this.#done;
  }

  destroy(): void {
    this.#decoding.decoder.destroy();
  }

  async #searchAll(): Promise<void> {
    const search = new LeakSearch(this.#guard.patterns);
    try {
      for await (const chunk of this.#decoding.decoder as AsyncIterable<Buffer>) {
        this.#decoding.count(chunk);
        if (search.push(chunk).length > 0) this.#guard.inBody = true;
        this.searched += chunk.length;
        this.#sink.onSearched();
      }
    } catch {
      this.#guard.unsearched = true;
    }
    this.searched = Number.POSITIVE_INFINITY;
    this.#sink.onSearched();
  }
}

/** Is decoded, searched, and encoded again. */
class FilteredCodedBody implements GuardedBody {
  readonly isRewritten = true;
  searched = 0;
  readonly #decoding: Decoding;
  readonly #done: Promise<void>;

  constructor(guard: ResponseGuard, coding: ContentCoding, maxRatio: number, sink: BodySink) {
    this.#decoding = new Decoding(coding, maxRatio);
    const filter = new LeakFilter(guard);
    const decoded = this.#filtered(filter, sink);
    const passing = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (sink.pass(chunk)) done();
        else sink.whenReady(done);
      },
    });
    this.#done = pipeline(decoded, coding.encoder(), passing)
      .then(() => finished(passing))
      .catch((error: unknown) => {
        this.#decoding.decoder.destroy();
        sink.fail(error);
      });
  }

  push(chunk: Buffer): boolean {
    return this.#decoding.push(chunk);
  }

  whenReady(next: () => void): void {
    this.#decoding.whenReady(next);
  }

  end(): Promise<void> {
    if (!this.#decoding.decoder.destroyed) this.#decoding.decoder.end();
    return this.#done;
  }

  destroy(): void {
    this.#decoding.decoder.destroy();
  }

  async *#filtered(filter: LeakFilter, sink: BodySink): AsyncGenerator<Buffer> {
    for await (const chunk of undecodableRefused(this.#decoding.decoder)) {
      this.#decoding.count(chunk);
      const passing = filter.push(chunk);
      this.searched += chunk.length;
      sink.onSearched();
      yield* passing;
    }
    yield* filter.finish();
  }
}

/** @throws AppError `response_leaks_value` for content that is broken */
async function* undecodableRefused(decoder: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* decoder;
  } catch (cause) {
    throw cannotSearch(cause);
  }
}
