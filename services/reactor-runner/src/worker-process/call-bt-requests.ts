import type { BtRequestLimits } from '../worker-protocol/messages.ts';

/**
 * Answers a request that the code of a call makes by `bt`. Never rejects.
 * @param signal aborts when the call has ended
 * @param backlog bytes that the worker has not read yet
 */
export type AnswerBtRequest = (
  request: Buffer,
  signal: AbortSignal,
  backlog: () => number,
) => Promise<Buffer>;

export interface CallBtRequestsOptions {
  readonly answer: AnswerBtRequest;
  readonly limits: BtRequestLimits;
  readonly backlog: () => number;
  readonly respond: (requestId: number, response: Buffer) => void;
}

/** The requests by `bt` of one call. The worker enforces the limits too: one that exceeds them is compromised. */
export class CallBtRequests {
  readonly #options: CallBtRequestsOptions;
  readonly #open = new Set<number>();
  #ended: AbortController | undefined;
  #total = 0;

  constructor(options: CallBtRequestsOptions) {
    this.#options = options;
  }

  /** @throws Error when the call exceeds its limits */
  take(requestId: number, request: Buffer): void {
    const { answer, limits, backlog, respond } = this.#options;
    this.#total += 1;
    const isTooMany = this.#open.size >= limits.btRequestsAtOnce || this.#total > limits.btRequestsPerCall;
    if (isTooMany || this.#open.has(requestId)) throw new Error('a call requests more than it may');
    this.#open.add(requestId);
    const { signal } = (this.#ended ??= new AbortController());
    void answer(request, signal, backlog).then((response) => {
      this.#open.delete(requestId);
      if (!signal.aborted) respond(requestId, response);
    });
  }

  /** Aborts the requests under way. */
  end(): void {
    this.#ended?.abort();
  }
}
