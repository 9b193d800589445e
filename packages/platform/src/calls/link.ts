import type { ClientDuplexStream } from '@grpc/grpc-js';

import type { AppError } from '../errors/app-error.ts';
import { BusyMap } from '../values/busy-map.ts';
import type { OpenCall } from './call.ts';
import { unavailable } from './errors.ts';
import type { CallBody, CallMessage, ReplyMessage } from './protocol.ts';

/** How a service's messages are put into frames and taken out of them. */
export interface FrameFormat<Call, Reply, Request, Response> {
  frameOf(calls: Call[], cancelled: number[]): Request;
  repliesOf(response: Response): readonly Reply[];
}

export interface LinkEvents<Link> {
  /** The server has accepted it, or its buffers have drained. */
  writable(link: Link): void;
  /** The server is about to leave: nothing more is written, open calls still get their replies. */
  leaving(link: Link): void;
  /** It has ended, and its open calls have failed. */
  closed(link: Link, error: AppError): void;
}

/** One stream and the calls on it. */
export class CallStreamLink<Call extends CallMessage, Reply extends ReplyMessage, Request, Response> {
  readonly pending = new BusyMap<number, OpenCall<Call, Reply>>();
  readonly #stream: ClientDuplexStream<Request, Response>;
  readonly #format: FrameFormat<Call, Reply, Request, Response>;
  readonly #events: LinkEvents<this>;
  #state: 'opening' | 'ready' | 'leaving' | 'closed' = 'opening';
  #full = false;
  #lastId = 0;
  #cancelled: number[] = [];

  constructor(
    stream: ClientDuplexStream<Request, Response>,
    format: FrameFormat<Call, Reply, Request, Response>,
    events: LinkEvents<CallStreamLink<Call, Reply, Request, Response>>,
  ) {
    this.#stream = stream;
    this.#format = format;
    this.#events = events;
    stream.on('metadata', () => this.#becomeReady());
    stream.on('data', (response: Response) => this.#receive(response));
    stream.on('drain', () => {
      this.#full = false;
      this.#events.writable(this);
    });
    stream.on('error', (error) => this.#close(error));
    stream.on('end', () => this.#close());
    stream.on('close', () => this.#close());
  }

  get ready(): boolean {
    return this.#state === 'ready';
  }

  /** Whether a frame can be written now without piling up in memory. */
  get writable(): boolean {
    return this.#state === 'ready' && !this.#full;
  }

  get hasCancelled(): boolean {
    return this.#cancelled.length > 0;
  }

  /** Writes one frame: these calls, and the ids of those that were cancelled since the last. */
  write(calls: readonly OpenCall<Call, Reply>[]): void {
    const now = Date.now();
    const messages = calls.map((call) => {
      this.#lastId = nextId(this.#lastId, this.pending);
      call.id = this.#lastId;
      this.pending.set(call.id, call);
      const message = {
        ...(call.body as CallBody<Call>),
        id: call.id,
        timeoutMs: timeLeft(call.deadline, now),
      };
      call.body = undefined;
      return message as Call;
    });
    const cancelled = this.#cancelled;
    this.#cancelled = [];
    this.#full = !this.#stream.write(this.#format.frameOf(messages, cancelled));
  }

  /** Forgets a call; the next frame cancels it at the server. */
  cancel(call: OpenCall<Call, Reply>): void {
    if (this.pending.delete(call.id) && this.#state === 'ready') this.#cancelled.push(call.id);
  }

  /** Writes nothing more; open calls still get their replies. */
  leave(): void {
    if (this.#state === 'opening') return this.destroy();
    if (this.#state !== 'ready') return;
    this.#state = 'leaving';
    this.#cancelled = [];
    this.#stream.end();
    this.#events.leaving(this);
  }

  /** Ends the stream at once. */
  destroy(): void {
    this.#stream.cancel();
    this.#close(new Error('the client has closed the stream'));
  }

  #becomeReady(): void {
    if (this.#state !== 'opening') return;
    this.#state = 'ready';
    this.#events.writable(this);
  }

  #receive(response: Response): void {
    const replies = this.#format.repliesOf(response);
    if (replies.length === 0) return this.leave();
    for (const reply of replies) {
      const call = this.pending.get(reply.id);
      if (call === undefined) continue;
      this.pending.delete(reply.id);
      call.succeed(reply);
    }
  }

  #close(cause: unknown = new Error('the server has ended the stream')): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    // One error for all: capturing thousands of stacks would stall the process.
    const error = unavailable(cause);
    const calls = [...this.pending.values()];
    this.pending.clear();
    for (const call of calls) call.fail(error);
    this.#events.closed(this, error);
  }
}

/** The next id after `last` that is not taken: 1 to 2^32 - 1, then from 1 again. */
export function nextId(last: number, taken: { has(id: number): boolean }): number {
  let id = last;
  do id = (id + 1) >>> 0;
  while (id === 0 || taken.has(id));
  return id;
}

/** For a uint32. 0 would mean that no time is left. */
function timeLeft(deadline: number, now: number): number {
  return Math.min(Math.max(1, Math.ceil(deadline - now)), 0xffffffff);
}
