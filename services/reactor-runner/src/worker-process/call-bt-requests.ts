import type { AskLimits } from '../worker-protocol/messages.ts';

/**
 * Answers what the code of a call asks for; never rejects.
 * @param signal aborts when the call has ended and nobody waits.
 * @param backlog bytes that wait to be taken by the worker.
 */
export type AnswerAsk = (request: Buffer, signal: AbortSignal, backlog: () => number) => Promise<Buffer>;

export interface CallAsksParts {
  readonly answer: AnswerAsk;
  readonly limits: AskLimits;
  readonly backlog: () => number;
  readonly tell: (askId: number, answer: Buffer) => void;
}

/** What one call in a worker has asked for. A worker keeps the limits; one that does not is no longer ours. */
export class CallAsks {
  readonly #parts: CallAsksParts;
  readonly #open = new Set<number>();
  #ended: AbortController | undefined;
  #total = 0;

  constructor(parts: CallAsksParts) {
    this.#parts = parts;
  }

  /** @throws Error when the call asks for more than it may. */
  take(askId: number, request: Buffer): void {
    const { answer, limits, backlog, tell } = this.#parts;
    this.#total += 1;
    if (this.#open.size >= limits.asksAtOnce || this.#total > limits.asksPerCall || this.#open.has(askId)) {
      throw new Error('a call asks for more than it may');
    }
    this.#open.add(askId);
    const { signal } = (this.#ended ??= new AbortController());
    void answer(request, signal, backlog).then((text) => {
      this.#open.delete(askId);
      if (!signal.aborted) tell(askId, text);
    });
  }

  /** Whatever is under way concerns nobody any more. */
  end(): void {
    this.#ended?.abort();
  }
}
