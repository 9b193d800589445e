import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

import type { NetworkOptions } from '../environment/host/network/network-limits.ts';
import type { Outcome } from '../sandbox/outcome.ts';
import { channelFd, maxFrameBytes } from '../sandbox/worker-options.ts';
import { type AnswerAsk, type AskLimits, CallAsks } from './call-asks.ts';
import { Channel } from './channel.ts';
import { CodeTable } from './code-table.ts';
import { parentCodec } from './codec.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { offerToOomKiller, residentMb } from './process-memory.ts';
import { spawnWorker } from './spawn-worker.ts';

export interface WorkerLimits extends AskLimits {
  /** Of one isolate. */
  readonly memoryMb: number;
  /** Of the whole process. */
  readonly processMemoryMb: number;
  readonly argumentBytes: number;
  readonly resultLength: number;
  /** Of one ask, and of its answer. */
  readonly askBytes: number;
  /** Calls in a worker that wait for something, beyond which it takes no more. */
  readonly suspendedPerWorker: number;
  readonly runsPerIsolate: number;
  readonly startMs: number;
  readonly network: NetworkOptions;
  /** The text of Node's library (environment/library). */
  readonly libraryFile?: string;
  /** The npm packages for user code (packages/user-packages). */
  readonly packagesFile?: string;
}

/** Whoever waits for the outcome of a call. */
export interface Caller {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** It does not wait any more. */
  readonly cancelled: boolean;
  /** Aborts when it stops to wait. Looked at only when a call is suspended, since making one costs something. */
  readonly signal: AbortSignal;
}

export interface WorkerCall {
  readonly code: string;
  /** JSON text. */
  readonly argument: Buffer;
  readonly caller: Caller;
}

export interface WorkerEvents {
  /** A call has left, or is suspended: there may be room for another. */
  progress(worker: WorkerProcess): void;
  /** The process is gone, its calls have their outcomes. */
  exit(worker: WorkerProcess): void;
}

interface SentCall {
  readonly id: number;
  readonly timeoutMs: number;
  /** By performance.now(): when it can have begun at the earliest. */
  startedAt: number;
  /** Undefined for a call that is never suspended. */
  readonly caller: Caller | undefined;
  readonly done: (outcome: Outcome) => void;
  /** Undefined for a call that may ask for nothing. */
  readonly asks: CallAsks | undefined;
}

/** The worker ends calls itself; one that is this late shows that it can't. */
const graceMs = 500;
/** While calls take no longer than this, more of them are sent ahead; the worker takes them one after the other. */
const briskMs = 5;
const maxAhead = 128;
const maxStderrLength = 2000;

/** One child process (sandbox/worker.ts) and the calls that are in it. */
export class WorkerProcess {
  readonly pid: number;
  /** Its place in the pool, unique among the living. */
  readonly slot: number;
  readonly exited: Promise<void>;
  /** By performance.now(). */
  lastUsedAt = performance.now();
  readonly #child: ChildProcess;
  readonly #channel: Channel<FromWorker, ToWorker>;
  readonly #limits: WorkerLimits;
  readonly #events: WorkerEvents;
  readonly #codes = new CodeTable();
  /** In the order in which the worker takes them: it is busy with the first. */
  readonly #running = new Map<number, SentCall>();
  readonly #suspended = new Map<number, SentCall>();
  #window = 1;
  #lastId = 0;
  #ending = false;

  /** @throws Error when the process does not get ready. */
  static async start(limits: WorkerLimits, slot: number, events: WorkerEvents): Promise<WorkerProcess> {
    const child = spawnWorker({ ...limits, isolates: limits.suspendedPerWorker }, slot);
    await once(child, 'spawn');
    const ready = Promise.withResolvers<void>();
    const worker = new WorkerProcess(child, limits, slot, events, ready.resolve);
    let stderr = '';
    const collect = (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-maxStderrLength);
    };
    child.stderr?.on('data', collect);
    const late = setTimeout(() => ready.reject(new Error('it took too long')), limits.startMs);
    try {
      await Promise.race([ready.promise, worker.exited.then(() => Promise.reject(new Error('it ended')))]);
    } catch (cause) {
      worker.kill();
      throw new Error(`a worker process did not start: ${stderr.trim() || 'it said nothing'}`, { cause });
    } finally {
      clearTimeout(late);
      // From now on it may tell what user code did.
      child.stderr?.off('data', collect).resume();
    }
    return worker;
  }

  private constructor(
    child: ChildProcess,
    limits: WorkerLimits,
    slot: number,
    events: WorkerEvents,
    onReady: () => void,
  ) {
    this.#child = child;
    this.#limits = limits;
    this.#events = events;
    this.slot = slot;
    this.pid = child.pid as number;
    offerToOomKiller(this.pid);
    const exited = Promise.withResolvers<void>();
    this.exited = exited.promise;
    // Not `exit`: what it said before it ended is heard first.
    child.once('close', () => {
      this.#fail({ kind: 'crashed' });
      exited.resolve();
      events.exit(this);
    });
    const socket = child.stdio[channelFd] as Socket;
    const largest = Math.max(4 * limits.resultLength, limits.askBytes);
    this.#channel = new Channel(socket, parentCodec, maxFrameBytes(largest));
    this.#channel.listen(
      (message) => {
        if (message.type === 'ready') onReady();
        else this.#receive(message);
      },
      () => this.kill(),
    );
    child.stdin?.on('error', () => this.kill());
  }

  /** Calls that are in it. */
  get open(): number {
    return this.#running.size + this.#suspended.size;
  }

  canTake(): boolean {
    const { suspendedPerWorker } = this.#limits;
    return !this.#ending && this.#running.size < this.#window && this.#suspended.size < suspendedPerWorker;
  }

  /**
   * Only while it `canTake`.
   * @param timeoutMs wall time of the call, from its start.
   * @param answer answers what its code asks for by `bt`; without it the code has none.
   */
  run(call: WorkerCall, timeoutMs: number, done: (outcome: Outcome) => void, answer?: AnswerAsk): void {
    const { codeId, isNew, forgotten } = this.#codes.idOf(call.code);
    if (forgotten !== undefined) this.#channel.send({ type: 'forget', codeId: forgotten });
    if (isNew) this.#channel.send({ type: 'load', codeId, code: call.code });
    const callId = this.#begin(timeoutMs, call.caller, done, answer);
    const { argument } = call;
    this.#channel.send({ type: 'run', callId, codeId, timeoutMs, hasBt: answer !== undefined, argument });
  }

  /** Whether code parses: `done` gets an outcome that is `returned` if it does. Only while it `canTake`. */
  compile(code: string, timeoutMs: number, done: (outcome: Outcome) => void): void {
    const callId = this.#begin(timeoutMs, undefined, done);
    this.#channel.send({ type: 'compile', callId, code });
  }

  /** To be called every now and then: ends the process when a call in it is too late, or its memory too much. */
  enforceLimits(): void {
    if (this.open === 0) return;
    const now = performance.now();
    const head = this.#head();
    const late = [...this.#suspended.values(), ...(head === undefined ? [] : [head])].filter(
      ({ startedAt, timeoutMs }) => now > startedAt + timeoutMs + graceMs,
    );
    for (const call of late) this.#settle(call, { kind: 'timeout' });
    const tooLarge = (residentMb(this.pid) ?? 0) > this.#limits.processMemoryMb;
    if (tooLarge && head !== undefined && this.#running.has(head.id)) this.#settle(head, { kind: 'memory' });
    if (late.length > 0 || tooLarge) this.kill();
  }

  /** Ends it at once; what is in it fails. */
  kill(): void {
    this.#ending = true;
    this.#child.kill('SIGKILL');
  }

  #begin(
    timeoutMs: number,
    caller: Caller | undefined,
    done: (outcome: Outcome) => void,
    answer?: AnswerAsk,
  ): number {
    this.#lastId = (this.#lastId + 1) >>> 0;
    const id = this.#lastId;
    this.lastUsedAt = performance.now();
    const asks = answer === undefined ? undefined : this.#asksOf(id, answer);
    this.#running.set(id, { id, timeoutMs, startedAt: this.lastUsedAt, caller, done, asks });
    return id;
  }

  #asksOf(callId: number, answer: AnswerAsk): CallAsks {
    return new CallAsks({
      answer,
      limits: this.#limits,
      backlog: () => this.#channel.backlog,
      tell: (askId, text) => this.#channel.send({ type: 'told', callId, askId, answer: text }),
    });
  }

  #head(): SentCall | undefined {
    return this.#running.values().next().value;
  }

  #receive(message: Exclude<FromWorker, { type: 'ready' }>): void {
    const now = performance.now();
    const sent = this.#running.get(message.callId) ?? this.#suspended.get(message.callId);
    if (sent === undefined) throw new Error(`no call ${message.callId} is in the worker`);
    if (message.type === 'ask') return takeAsk(sent, message);
    const brisk = message.type === 'settled' && message.tookMs <= briskMs;
    if (this.#running.has(sent.id)) this.#adjustWindow(brisk);
    if (message.type === 'suspended') this.#suspend(sent);
    else this.#settle(sent, message.outcome);
    const head = this.#head();
    if (head !== undefined) head.startedAt = Math.max(head.startedAt, now);
    this.#events.progress(this);
  }

  #suspend(sent: SentCall): void {
    this.#running.delete(sent.id);
    this.#suspended.set(sent.id, sent);
    const signal = sent.caller?.signal;
    const cancel = () => {
      if (this.#suspended.has(sent.id)) this.#channel.send({ type: 'cancel', callId: sent.id });
    };
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  }

  #settle(sent: SentCall, outcome: Outcome): void {
    this.#running.delete(sent.id);
    this.#suspended.delete(sent.id);
    sent.asks?.end();
    sent.done(outcome);
  }

  #adjustWindow(brisk: boolean): void {
    this.#window = brisk ? Math.min(maxAhead, this.#window + 1) : Math.max(1, this.#window >> 1);
  }

  #fail(outcome: Outcome): void {
    this.#ending = true;
    for (const sent of [...this.#running.values(), ...this.#suspended.values()]) this.#settle(sent, outcome);
  }
}

/** As whom the call acts is known here by its id: a worker can ask for nothing but what its own calls may do. */
function takeAsk({ asks }: SentCall, { askId, request }: Extract<FromWorker, { type: 'ask' }>): void {
  if (asks === undefined) throw new Error('a call that has no bt asks for something');
  asks.take(askId, request);
}
