import { BusyMap } from '@glovebox/platform/values/busy-map';

import type { BtRequestLimits, FromWorker, ToWorker } from '../worker-protocol/messages.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { maxLogBytes } from '../worker-protocol/worker-options.ts';
import { type AnswerBtRequest, CallBtRequests } from './call-bt-requests.ts';

/** How long the result of a call is wanted. */
export interface CallLifetime {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** The result is not wanted any more. */
  readonly cancelled: boolean;
  /** Aborts on cancellation. Read only when a call is suspended, since creating a signal is not free. */
  readonly signal: AbortSignal;
}

/** @param log what the call's code logged, if anything */
export type Done = (outcome: Outcome, log: Buffer | undefined) => void;

export interface NewCall {
  /** Wall time of the call, from its start. */
  readonly timeoutMs: number;
  /** Undefined for a call that is never suspended. */
  readonly lifetime: CallLifetime | undefined;
  readonly done: Done;
  /** Answers its requests by `bt`; undefined for a call without `bt`. */
  readonly answer: AnswerBtRequest | undefined;
}

export interface WorkerCallsOptions {
  readonly limits: BtRequestLimits & {
    /** Suspended calls in a worker, beyond which it takes no more. */
    readonly suspendedPerWorker: number;
    /** Of one call's log, in characters. */
    readonly logLength: number;
    readonly logLines: number;
  };
  readonly send: (message: ToWorker) => void;
  /** Bytes that the worker has not read yet. */
  readonly backlog: () => number;
}

interface SentCall {
  readonly id: number;
  readonly timeoutMs: number;
  /** The earliest possible start, by performance.now(). */
  startedAt: number;
  readonly lifetime: CallLifetime | undefined;
  readonly done: Done;
  readonly btRequests: CallBtRequests | undefined;
  log: Buffer | undefined;
}

/** A worker ends late calls itself; a call this late shows that it can't. */
const graceMs = 500;
/** While calls take at most this long, more of them are sent ahead of time. */
const briskMs = 5;
const maxAhead = 128;

/** The calls in one worker process. The process may be compromised: its messages are believed only about its own calls. */
export class WorkerCalls {
  readonly #options: WorkerCallsOptions;
  /** In the order in which the worker handles them: it is busy with the first. */
  readonly #running = new BusyMap<number, SentCall>();
  readonly #suspended = new BusyMap<number, SentCall>();
  #window = 1;
  #lastId = 0;

  constructor(options: WorkerCallsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#running.size + this.#suspended.size;
  }

  /** @param depth of a call that other calls wait for: it must not wait for the places that they hold */
  hasRoom(depth: number): boolean {
    const { suspendedPerWorker } = this.#options.limits;
    return this.#running.size < this.#window && this.#suspended.size < suspendedPerWorker * (1 + depth);
  }

  /** @returns the call's id */
  begin({ timeoutMs, lifetime, done, answer }: NewCall, now: number): number {
    this.#lastId = (this.#lastId + 1) >>> 0;
    const id = this.#lastId;
    const btRequests = answer === undefined ? undefined : this.#btRequestsOf(id, answer);
    this.#running.set(id, { id, timeoutMs, startedAt: now, lifetime, done, btRequests, log: undefined });
    return id;
  }

  /** @throws Error when the message breaks the protocol */
  receive(message: Exclude<FromWorker, { type: 'ready' }>): void {
    const now = performance.now();
    const sent = this.#running.get(message.callId) ?? this.#suspended.get(message.callId);
    if (sent === undefined) throw new Error(`no call ${message.callId} is in the worker`);
    if (message.type === 'btRequest') return takeBtRequest(sent, message);
    if (message.type === 'logged') return this.#takeLog(sent, message.log);
    const brisk = message.type === 'settled' && message.tookMs <= briskMs;
    if (this.#running.has(sent.id)) this.#adjustWindow(brisk);
    if (message.type === 'suspended') this.#suspend(sent);
    else this.#settle(sent, message.outcome);
    const head = this.#head();
    if (head !== undefined) head.startedAt = Math.max(head.startedAt, now);
  }

  /** Settles calls that are so late that the worker must be stuck. @returns whether there were any */
  endLate(now: number): boolean {
    const head = this.#head();
    const late = [...this.#suspended.values(), ...(head === undefined ? [] : [head])].filter(
      ({ startedAt, timeoutMs }) => now > startedAt + timeoutMs + graceMs,
    );
    for (const call of late) this.#settle(call, { kind: 'timeout' });
    return late.length > 0;
  }

  /** Settles the call that the worker is busy with. */
  endFirst(outcome: Outcome): void {
    const head = this.#head();
    if (head !== undefined) this.#settle(head, outcome);
  }

  endAll(outcome: Outcome): void {
    for (const sent of [...this.#running.values(), ...this.#suspended.values()]) this.#settle(sent, outcome);
  }

  #btRequestsOf(callId: number, answer: AnswerBtRequest): CallBtRequests {
    const { limits, backlog, send } = this.#options;
    const respond = (requestId: number, response: Buffer) =>
      send({ type: 'btResponse', callId, requestId, response });
    return new CallBtRequests({ answer, limits, backlog, respond });
  }

  #head(): SentCall | undefined {
    return this.#running.first();
  }

  #suspend(sent: SentCall): void {
    if (!this.#running.delete(sent.id)) throw new Error('a call is suspended more than once');
    this.#suspended.set(sent.id, sent);
    const signal = sent.lifetime?.signal;
    const cancel = () => {
      if (this.#suspended.has(sent.id)) this.#options.send({ type: 'cancel', callId: sent.id });
    };
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  }

  #settle(sent: SentCall, outcome: Outcome): void {
    this.#running.delete(sent.id);
    this.#suspended.delete(sent.id);
    sent.btRequests?.end();
    sent.done(outcome, sent.log);
  }

  #takeLog(sent: SentCall, log: Buffer): void {
    if (sent.log !== undefined) throw new Error('a call has more than one log');
    if (log.length > maxLogBytes(this.#options.limits)) throw new Error('a log is too long');
    sent.log = log;
  }

  #adjustWindow(brisk: boolean): void {
    this.#window = brisk ? Math.min(maxAhead, this.#window + 1) : Math.max(1, this.#window >> 1);
  }
}

/** The call's id determines the application, so a worker can request only what its own calls may do. */
function takeBtRequest(
  { btRequests }: SentCall,
  { requestId, request }: Extract<FromWorker, { type: 'btRequest' }>,
): void {
  if (btRequests === undefined) throw new Error('a call without bt sends a bt request');
  btRequests.take(requestId, request);
}
