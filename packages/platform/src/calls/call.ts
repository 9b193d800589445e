import type { AppError } from '../errors/app-error.ts';
import type { CallBody } from './protocol.ts';

/** Owns the open calls of a client. */
export interface CallKeeper<Call, Reply> {
  /** A call has its outcome. */
  settled(call: OpenCall<Call, Reply>): void;
  /** A call's signal has aborted. */
  aborted(call: OpenCall<Call, Reply>): void;
}

export interface CallOutcome<Reply> {
  resolve(reply: Reply): void;
  reject(error: AppError): void;
}

/** A call that waits for its reply. It is its own abort listener, which saves a closure per call. */
export class OpenCall<Call, Reply> {
  /** Undefined once it is written, so that a large body does not outlive its frame. */
  body: CallBody<Call> | undefined;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Set when it is written; 0 until then. */
  id = 0;
  /** Its number in the queue; 0 while it is in none. */
  queued = 0;
  readonly #outcome: CallOutcome<Reply>;
  readonly #keeper: CallKeeper<Call, Reply>;
  readonly #signal: AbortSignal | undefined;

  constructor(
    keeper: CallKeeper<Call, Reply>,
    body: CallBody<Call>,
    bytes: number,
    options: { readonly deadline: number; readonly signal?: AbortSignal | undefined },
    outcome: CallOutcome<Reply>,
  ) {
    this.#keeper = keeper;
    this.body = body;
    this.bytes = bytes;
    this.deadline = options.deadline;
    this.#signal = options.signal;
    this.#outcome = outcome;
    this.#signal?.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.#keeper.aborted(this);
  }

  succeed(reply: Reply): void {
    this.#settle();
    this.#outcome.resolve(reply);
  }

  fail(error: AppError): void {
    this.#settle();
    this.#outcome.reject(error);
  }

  #settle(): void {
    this.#signal?.removeEventListener('abort', this);
    this.#keeper.settled(this);
  }
}
