import { cancelled } from './errors.ts';
import type { CallMessage } from './protocol.ts';

/** A received call, which the handler of its frame answers. */
export class InboundCall<Call extends CallMessage, Reply> {
  readonly call: Call;
  /** Milliseconds since the epoch, by this process's clock. */
  readonly deadline: number;
  readonly #onReply: (call: InboundCall<Call, Reply>) => void;
  #reply: Reply | undefined;
  #cancelled = false;
  #controller: AbortController | undefined;

  /** @param receivedAt milliseconds since the epoch. */
  constructor(call: Call, receivedAt: number, onReply: (call: InboundCall<Call, Reply>) => void) {
    this.call = call;
    this.deadline = receivedAt + call.timeoutMs;
    this.#onReply = onReply;
  }

  /** The peer cancelled the call or is gone. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Aborts when the call is cancelled. Created on first use, since most calls need none. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled) this.#controller.abort(cancelled());
    return this.#controller.signal;
  }

  get unanswered(): boolean {
    return this.#reply === undefined && !this.#cancelled;
  }

  get answer(): Reply | undefined {
    return this.#reply;
  }

  /** Answers the call. Does nothing after a cancel. @throws Error when it was answered before */
  reply(reply: Reply): void {
    if (this.#cancelled) return;
    if (this.#reply !== undefined) throw new Error(`call ${this.call.id} was answered twice`);
    this.#reply = reply;
    this.#onReply(this);
  }

  cancel(): void {
    this.#cancelled = true;
    this.#controller?.abort(cancelled());
  }
}
