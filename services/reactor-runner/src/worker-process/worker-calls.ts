import { BusyMap } from '@glovebox/platform/values/busy-map';

import type { AskLimits, FromWorker, ToWorker } from '../worker-protocol/messages.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { maxLogBytes } from '../worker-protocol/worker-options.ts';
import { type AnswerAsk, CallAsks } from './call-bt-requests.ts';

/** Whoever waits for the outcome of a call. */
export interface Caller {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** It does not wait any more. */
  readonly cancelled: boolean;
  /** Aborts when it stops to wait. Looked at only when a call is suspended, since making one costs something. */
  readonly signal: AbortSignal;
}

/** @param log what the call's code has logged (sandbox/console-log.ts), if it has. */
export type Done = (outcome: Outcome, log: Buffer | undefined) => void;

export interface NewCall {
  /** Wall time of the call, from its start. */
  readonly timeoutMs: number;
  /** Undefined for a call that is never suspended. */
  readonly caller: Caller | undefined;
  readonly done: Done;
  /** Answers what its code asks for by `bt`; undefined for a call that may ask for nothing. */
  readonly answer: AnswerAsk | undefined;
}

export interface WorkerCallsParts {
  readonly limits: AskLimits & {
    /** Calls in a worker that wait for something, beyond which it takes no more. */
    readonly suspendedPerWorker: number;
    /** Of what one call logs, in characters. */
    readonly logLength: number;
    readonly logLines: number;
  };
  readonly send: (message: ToWorker) => void;
  /** Bytes that were sent and not taken yet. */
  readonly backlog: () => number;
}

interface SentCall {
  readonly id: number;
  readonly timeoutMs: number;
  /** By performance.now(): when it can have begun at the earliest. */
  startedAt: number;
  readonly caller: Caller | undefined;
  readonly done: Done;
  readonly asks: CallAsks | undefined;
  log: Buffer | undefined;
}

/** The worker ends calls itself; one that is this late shows that it can't. */
const graceMs = 500;
/** While calls take no longer than this, more of them are sent ahead; the worker takes them one after the other. */
const briskMs = 5;
const maxAhead = 128;

/** The calls that are in one worker process, whatever that has become: it is believed about these and nothing else. */
export class WorkerCalls {
  readonly #parts: WorkerCallsParts;
  /** In the order in which the worker takes them: it is busy with the first. */
  readonly #running = new BusyMap<number, SentCall>();
  readonly #suspended = new BusyMap<number, SentCall>();
  #window = 1;
  #lastId = 0;

  constructor(parts: WorkerCallsParts) {
    this.#parts = parts;
  }

  get open(): number {
    return this.#running.size + this.#suspended.size;
  }

  /** @param depth of a call that others wait for: they hold places that it must not wait for. */
  hasRoom(depth: number): boolean {
    const { suspendedPerWorker } = this.#parts.limits;
    return this.#running.size < this.#window && this.#suspended.size < suspendedPerWorker * (1 + depth);
  }

  /** @returns the id under which it is to be sent. */
  begin({ timeoutMs, caller, done, answer }: NewCall, now: number): number {
    this.#lastId = (this.#lastId + 1) >>> 0;
    const id = this.#lastId;
    const asks = answer === undefined ? undefined : this.#asksOf(id, answer);
    this.#running.set(id, { id, timeoutMs, startedAt: now, caller, done, asks, log: undefined });
    return id;
  }

  /** @throws Error when it says what no worker of ours says. */
  receive(message: Exclude<FromWorker, { type: 'ready' }>): void {
    const now = performance.now();
    const sent = this.#running.get(message.callId) ?? this.#suspended.get(message.callId);
    if (sent === undefined) throw new Error(`no call ${message.callId} is in the worker`);
    if (message.type === 'ask') return takeAsk(sent, message);
    if (message.type === 'logged') return this.#takeLog(sent, message.log);
    const brisk = message.type === 'settled' && message.tookMs <= briskMs;
    if (this.#running.has(sent.id)) this.#adjustWindow(brisk);
    if (message.type === 'suspended') this.#suspend(sent);
    else this.#settle(sent, message.outcome);
    const head = this.#head();
    if (head !== undefined) head.startedAt = Math.max(head.startedAt, now);
  }

  /** Settles those that are so late that the worker cannot do it. @returns whether there were any. */
  endLate(now: number): boolean {
    const head = this.#head();
    const late = [...this.#suspended.values(), ...(head === undefined ? [] : [head])].filter(
      ({ startedAt, timeoutMs }) => now > startedAt + timeoutMs + graceMs,
    );
    for (const call of late) this.#settle(call, { kind: 'timeout' });
    return late.length > 0;
  }

  /** Settles the one that the worker is busy with. */
  endFirst(outcome: Outcome): void {
    const head = this.#head();
    if (head !== undefined) this.#settle(head, outcome);
  }

  endAll(outcome: Outcome): void {
    for (const sent of [...this.#running.values(), ...this.#suspended.values()]) this.#settle(sent, outcome);
  }

  #asksOf(callId: number, answer: AnswerAsk): CallAsks {
    const { limits, backlog, send } = this.#parts;
    const tell = (askId: number, text: Buffer) => send({ type: 'told', callId, askId, answer: text });
    return new CallAsks({ answer, limits, backlog, tell });
  }

  #head(): SentCall | undefined {
    return this.#running.first();
  }

  #suspend(sent: SentCall): void {
    if (!this.#running.delete(sent.id)) throw new Error('a call is suspended more than once');
    this.#suspended.set(sent.id, sent);
    const signal = sent.caller?.signal;
    const cancel = () => {
      if (this.#suspended.has(sent.id)) this.#parts.send({ type: 'cancel', callId: sent.id });
    };
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  }

  #settle(sent: SentCall, outcome: Outcome): void {
    this.#running.delete(sent.id);
    this.#suspended.delete(sent.id);
    sent.asks?.end();
    sent.done(outcome, sent.log);
  }

  #takeLog(sent: SentCall, log: Buffer): void {
    if (sent.log !== undefined) throw new Error('a call has more than one log');
    if (log.length > maxLogBytes(this.#parts.limits)) throw new Error('a log is too long');
    sent.log = log;
  }

  #adjustWindow(brisk: boolean): void {
    this.#window = brisk ? Math.min(maxAhead, this.#window + 1) : Math.max(1, this.#window >> 1);
  }
}

/** As whom the call acts is known here by its id: a worker can ask for nothing but what its own calls may do. */
function takeAsk({ asks }: SentCall, { askId, request }: Extract<FromWorker, { type: 'ask' }>): void {
  if (asks === undefined) throw new Error('a call that has no bt asks for something');
  asks.take(askId, request);
}
