import { type Dispatcher, errors } from 'undici';

import type { AnswerHead } from './answer-head.ts';
import type { BodyParts } from './body-parts.ts';
import type { OutgoingRequest } from './outgoing-request.ts';

/** Where a request is: in the queue of an origin, or on a connection. */
export interface RequestPlace {
  /** The request is over, without an answer. */
  leave(request: DispatchedRequest): void;
  /** The handler takes the answer again. */
  resume(): void;
}

/** Knows which requests are open. */
export interface RequestOwner {
  /** Called once, before the handler hears of the end. */
  ended(request: DispatchedRequest): void;
}

export interface RequestTimeouts {
  /** In milliseconds, as those of GuardedDispatcherOptions; 0: none. */
  readonly headersMs: number;
  readonly bodyMs: number;
}

/** One request, from `dispatch` to the end of its answer: what its handler is given as the controller. */
export class DispatchedRequest implements Dispatcher.DispatchController {
  readonly timeouts: RequestTimeouts;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #isRaw: boolean;
  readonly #owner: RequestOwner;
  readonly outgoing: OutgoingRequest;
  /** Of a body that comes in parts, once its first has come. */
  parts: BodyParts | undefined;
  place: RequestPlace | undefined;
  /** Its place among those that are open. */
  openAt = 0;
  aborted = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders: string[] | null = null;
  rawTrailers: string[] | null = null;
  /** The handler is not called any more. */
  isOver = false;

  constructor(
    outgoing: OutgoingRequest,
    options: Dispatcher.DispatchOptions & { readonly responseHeaders?: 'raw' | null },
    handler: Dispatcher.DispatchHandler,
    timeouts: RequestTimeouts,
    owner: RequestOwner,
  ) {
    this.outgoing = outgoing;
    this.#handler = handler;
    this.#isRaw = options.responseHeaders === 'raw';
    this.#owner = owner;
    this.timeouts = timeouts;
  }

  pause(): void {
    if (!this.isOver) this.paused = true;
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.place?.resume();
  }

  abort(reason: Error): void {
    if (this.isOver) return;
    this.aborted = true;
    this.reason = reason;
    this.fail(reason ?? new errors.RequestAbortedError());
  }

  begin(): void {
    this.#tell(() => this.#handler.onRequestStart?.(this, null));
  }

  /** @returns whether the body may follow now; so does `data` */
  start({ status, phrase, headers }: AnswerHead): boolean {
    this.rawHeaders = headers;
    const object = this.#isRaw ? {} : objectOf(headers);
    return this.#tell(() => this.#handler.onResponseStart?.(this, status, object, phrase));
  }

  data(chunk: Buffer): boolean {
    return this.#tell(() => this.#handler.onResponseData?.(this, chunk));
  }

  end(trailers: string[]): void {
    if (this.isOver) return;
    this.rawTrailers = trailers;
    this.#finish();
    try {
      this.#handler.onResponseEnd?.(this, this.#isRaw ? {} : objectOf(trailers));
    } catch (error) {
      this.#handler.onResponseError?.(this, asError(error));
    }
  }

  fail(error: Error): void {
    if (this.isOver) return;
    const place = this.place;
    this.#finish();
    place?.leave(this);
    this.#handler.onResponseError?.(this, error);
  }

  #finish(): void {
    this.isOver = true;
    this.place = undefined;
    this.parts?.leave();
    this.#owner.ended(this);
  }

  #tell(say: () => void): boolean {
    if (this.isOver) return false;
    try {
      say();
    } catch (error) {
      this.abort(asError(error));
    }
    return !this.paused && !this.isOver;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('a handler failed', { cause: error });
}

/** By names in lower case; a list where there are several. */
function objectOf(fields: readonly string[]): Record<string, string | string[]> {
  const object: Record<string, string | string[]> = Object.create(null);
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]!.toLowerCase();
    const value = fields[at + 1]!;
    const known = object[name];
    if (known === undefined) object[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else object[name] = [known, value];
  }
  return object;
}
