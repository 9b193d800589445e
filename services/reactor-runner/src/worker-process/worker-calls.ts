import { BusyMap } from '@glovebox/platform/values/busy-map';

import { type EgressReport, checkReport } from '../worker-protocol/code-reach.ts';
import type { BtRequestLimits, FromWorker, ToWorker } from '../worker-protocol/messages.ts';
import type { Moved, Outcome, Unfinished } from '../worker-protocol/outcome.ts';
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

/**
 * @param log what the call's code logged, if anything
 * @param heldKb memory of its isolate, of a call that was measured; 0 where that is unknown
 */
export type Done = (outcome: Outcome | Unfinished, log: Buffer | undefined, heldKb: number) => void;

export interface NewCall {
  /** Wall time of the call, from its start. */
  readonly timeoutMs: number;
  /** Undefined for a call that is never suspended. */
  readonly lifetime: CallLifetime | undefined;
  readonly done: Done;
  /** Whether it can be ended to begin elsewhere, while it has had no effect outside. */
  readonly isMovable: boolean;
  /** Which code it is of. */
  readonly code: string;
  /** Answers its requests by `bt`; undefined for a call without `bt`. */
  readonly answer: AnswerBtRequest | undefined;
  /** Receives the hosts that its code tries to reach outside of its reach. */
  readonly onEgress?: ((report: EgressReport) => void) | undefined;
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

/** What keeps a worker from its other calls. */
export interface Holder {
  readonly call: SentCall;
  /** The number of its stay in its isolate. */
  readonly stay: number;
  /** Milliseconds of processor time that the stay may use. */
  readonly cpuMs: number;
}

/** Why a worker process is gone: the runner ended it for none of the calls in it, or did not trust it any more, or it died. */
export type Loss = 'ended' | 'distrusted' | 'killed' | 'died';

export interface SentCall {
  readonly id: number;
  readonly timeoutMs: number;
  /** The earliest possible start, by performance.now(). */
  startedAt: number;
  readonly lifetime: CallLifetime | undefined;
  readonly done: Done;
  readonly isMovable: boolean;
  readonly code: string;
  /** Something outside may have noticed that it has begun. */
  hasEffect: boolean;
  readonly btRequests: CallBtRequests | undefined;
  readonly onEgress: ((report: EgressReport) => void) | undefined;
  log: Buffer | undefined;
}

const notBegun: Unfinished = { kind: 'unfinished', hasBegun: false, isSuspect: false, wasMoved: false };

/** A worker ends late calls itself; a call this late shows that it can't. */
const graceMs = 500;
/** While calls take at most this long, more of them are sent ahead of time. */
const briskMs = 5;
const maxAhead = 128;
const largestId = 2 ** 31 - 2;

/** The calls in one worker process. The process may be compromised: its messages are believed only about its own calls. */
export class WorkerCalls {
  readonly #options: WorkerCallsOptions;
  /** In the order in which the worker handles them: it is busy with the first. */
  readonly #running = new BusyMap<number, SentCall>();
  readonly #suspended = new BusyMap<number, SentCall>();
  #window = 1;
  #lastId = 0;
  /** When the worker last reported anything, or got its first call; by performance.now(). */
  #heardAt = 0;
  #isHeld = false;
  #holder: Holder | undefined;

  constructor(options: WorkerCallsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#running.size + this.#suspended.size;
  }

  /** @param depth of a call that other calls wait for: it must not wait for the places that they hold */
  hasRoom(depth: number): boolean {
    const { suspendedPerWorker } = this.#options.limits;
    if (this.#isHeld) return false;
    return this.#running.size < this.#window && this.#suspended.size < suspendedPerWorker * (1 + depth);
  }

  /** @returns the call's id */
  begin({ timeoutMs, lifetime, done, isMovable, code, answer, onEgress }: NewCall, now: number): number {
    if (this.#running.size === 0) this.#heardAt = now;
    this.#lastId = (this.#lastId % largestId) + 1;
    const id = this.#lastId;
    const btRequests = answer === undefined ? undefined : this.#btRequestsOf(id, answer);
    const sent = { id, timeoutMs, startedAt: now, lifetime, done, isMovable, code, btRequests, onEgress };
    this.#running.set(id, { ...sent, hasEffect: false, log: undefined });
    return id;
  }

  /** @throws Error when the message breaks the protocol */
  receive(message: Exclude<FromWorker, { type: 'ready' }>): void {
    const now = performance.now();
    this.#heardAt = now;
    this.#holder = undefined;
    if (message.type === 'proceeding') {
      this.#isHeld = false;
      return;
    }
    const sent = this.#running.get(message.callId) ?? this.#suspended.get(message.callId);
    if (sent === undefined) throw new Error(`no call ${message.callId} is in the worker`);
    if (message.type === 'btRequest') return takeBtRequest(sent, message);
    if (message.type === 'egress') return sent.onEgress?.(checkReport(message));
    if (message.type === 'logged') return this.#takeLog(sent, message.log);
    const brisk = message.type === 'settled' && message.tookMs <= briskMs;
    if (this.#running.has(sent.id)) this.#adjustWindow(brisk);
    if (message.type === 'suspended') this.#suspend(sent);
    else this.#settle(sent, this.#outcomeOf(sent, message.outcome), message.heldKb);
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

  /** Settles the call that the worker is busy with, as far as that is known. */
  endFirst(outcome: Outcome): void {
    const first = this.#holder?.call ?? this.#head();
    if (first !== undefined) this.#settle(first, outcome);
  }

  /** The process is gone. Only a call that is alone, or was seen to hold the thread, is surely the one that ended it. */
  endAll(loss: Loss): void {
    const all = [...this.#running.values(), ...this.#suspended.values()];
    const isDeath = loss === 'killed' || loss === 'died';
    const culprit = isDeath
      ? (this.#holder?.call ?? (loss === 'died' && all.length === 1 ? all[0] : undefined))
      : undefined;
    const head = this.#head();
    for (const sent of all) {
      const isSuspect = isDeath && culprit === undefined && (head === undefined || sent === head);
      if (sent === culprit || loss === 'distrusted') this.#settle(sent, { kind: 'crashed' });
      else if (!sent.hasEffect)
        this.#settle(sent, { kind: 'unfinished', hasBegun: true, isSuspect, wasMoved: false });
      else this.#settle(sent, { kind: isSuspect ? 'crashed' : 'worker_lost' });
    }
  }

  /** For how long nothing has been heard of a worker that has calls, in milliseconds. */
  silentMs(now: number): number {
    return this.open === 0 ? 0 : now - this.#heardAt;
  }

  /** Calls that it should be at work on: the others wait for something. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether it was ordered to begin no further call, and has not reported since that it continues. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Set while a worker that is held is known to be busy with a call. */
  get holder(): Holder | undefined {
    return this.#holder;
  }

  /** Whether the holder keeps calls of other code from going on. */
  get holdsUpOthers(): boolean {
    const code = this.#holder?.call.code;
    return [...this.#running.values(), ...this.#suspended.values()].some((sent) => sent.code !== code);
  }

  /** No further call begins. */
  hold(): void {
    this.#isHeld = true;
  }

  /**
   * The worker has been held: what has not begun is given back.
   * @param begun the last call that has begun
   */
  takeBack(begun: number): void {
    let isAfter = !this.#running.has(begun);
    for (const sent of this.#running.values()) {
      if (isAfter) this.#settle(sent, notBegun);
      isAfter ||= sent.id === begun;
    }
  }

  /** What the worker's thread is busy with. @param callId 0: nothing */
  noteBusy(callId: number, stay: number, cpuMs: number): void {
    if (this.#holder?.stay === stay) return;
    const call = this.#running.get(callId) ?? this.#suspended.get(callId);
    this.#holder = call === undefined ? undefined : { call, stay, cpuMs };
  }

  /** A call is about to have its first effect outside. One that has ended is left alone. */
  noteEffect(callId: number): void {
    const sent = this.#running.get(callId) ?? this.#suspended.get(callId);
    if (sent !== undefined) sent.hasEffect = true;
  }

  #outcomeOf(sent: SentCall, outcome: Outcome | Moved): Outcome | Unfinished {
    if (outcome.kind === 'moved') {
      return sent.hasEffect || !sent.isMovable
        ? { kind: 'crashed' }
        : { kind: 'unfinished', hasBegun: true, isSuspect: true, wasMoved: true };
    }
    return outcome;
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

  #settle(sent: SentCall, outcome: Outcome | Unfinished, heldKb = 0): void {
    this.#running.delete(sent.id);
    this.#suspended.delete(sent.id);
    sent.btRequests?.end();
    sent.done(outcome, sent.log, heldKb);
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
  sent: SentCall,
  { requestId, request }: Extract<FromWorker, { type: 'btRequest' }>,
): void {
  if (sent.btRequests === undefined) throw new Error('a call without bt sends a bt request');
  sent.hasEffect = true;
  sent.btRequests.take(requestId, request);
}
