import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';

import { Channel } from '../worker-protocol/channel.ts';
import { parentCodec } from '../worker-protocol/codec.ts';
import { RecordReader, orders, reports, writeRecord } from '../worker-protocol/control.ts';
import type { FromWorker, ToWorker } from '../worker-protocol/messages.ts';
import type { Outcome, Unfinished } from '../worker-protocol/outcome.ts';
import { type NetworkOptions, channelFd, maxFrameBytes } from '../worker-protocol/worker-options.ts';
import type { AnswerBtRequest } from './call-bt-requests.ts';
import { CodeTable, keyOf, maxCodes } from './code-table.ts';
import { IdleWatch, holdsMoreThan, offerToOomKiller } from './process-usage.ts';
import { spawnWorker } from './spawn-worker.ts';
import type { WorkerCall } from './worker-call.ts';
import { type Done, type Holder, type Loss, WorkerCalls, type WorkerCallsOptions } from './worker-calls.ts';

type CallLimits = WorkerCallsOptions['limits'];

export interface WorkerLimits extends CallLimits {
  /** Of one isolate. */
  readonly memoryMb: number;
  /** Processor time of one call, in milliseconds. */
  readonly cpuMs: number;
  /** Of the whole process. */
  readonly processMemoryMb: number;
  readonly argumentBytes: number;
  readonly resultLength: number;
  /** Of one request by `bt`, and of its response. */
  readonly btRequestBytes: number;
  readonly runsPerIsolate: number;
  readonly startMs: number;
  /** The code has no network. */
  readonly offline?: boolean;
  readonly network: NetworkOptions;
  /** The text of Node's library (node16/library). */
  readonly libraryFile?: string;
  /** The npm packages for user code (packages/user-packages). */
  readonly packagesFile?: string;
}

export interface WorkerEvents {
  /** A call has ended or is suspended: there may be room for another. */
  progress(worker: WorkerProcess): void;
  /** It has been held: what had not begun in it is unfinished. */
  held(worker: WorkerProcess): void;
  /** The process has exited, and its calls have their outcomes. */
  exit(worker: WorkerProcess): void;
}

const maxStderrLength = 2000;

/** One worker process (sandbox/worker/worker.ts) and its calls. */
export class WorkerProcess {
  readonly pid: number;
  /** Unique among the living processes. */
  readonly slot: number;
  readonly exited: Promise<void>;
  /** By performance.now(). */
  lastUsedAt = performance.now();
  readonly #child: ChildProcess;
  readonly #channel: Channel<FromWorker, ToWorker>;
  readonly #limits: WorkerLimits;
  readonly #codes = new CodeTable();
  readonly #calls: WorkerCalls;
  readonly #idleWatch: IdleWatch;
  #ready = false;
  #ending = false;
  #loss: Loss | undefined;

  /** @throws Error when the process does not become ready */
  static async start(limits: WorkerLimits, slot: number, events: WorkerEvents): Promise<WorkerProcess> {
    const isolates = Math.max(maxCodes, limits.suspendedPerWorker);
    const child = spawnWorker({ ...limits, isolates }, slot);
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
      throw new Error(`a worker process did not start: ${stderr.trim() || 'no output'}`, { cause });
    } finally {
      clearTimeout(late);
      // From now on, standard error may hold what user code did.
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
    const { pid, stdio } = child;
    const socket = stdio[channelFd];
    if (pid === undefined || !(socket instanceof Socket)) throw new Error('a worker process did not start');
    this.pid = pid;
    this.#child = child;
    this.#limits = limits;
    this.slot = slot;
    this.#idleWatch = new IdleWatch(this.pid);
    offerToOomKiller(this.pid);
    const exited = Promise.withResolvers<void>();
    this.exited = exited.promise;
    // Not `exit`: messages that it sent before are read first.
    child.once('close', (_code, signal) => {
      this.#ending = true;
      this.#calls.endAll(this.#loss ?? (signal === 'SIGKILL' ? 'killed' : 'died'));
      exited.resolve();
      events.exit(this);
    });
    const largest = Math.max(4 * limits.resultLength, limits.btRequestBytes);
    const channel = new Channel<FromWorker, ToWorker>(socket, parentCodec, maxFrameBytes(largest));
    this.#channel = channel;
    this.#calls = new WorkerCalls({
      limits,
      send: (message) => channel.send(message),
      backlog: () => channel.backlog,
    });
    channel.listen(
      (message) => {
        if (message.type === 'ready') return this.#becomeReady(onReady);
        this.#calls.receive(message);
        if (message.type !== 'btRequest') events.progress(this);
      },
      (error) => {
        if (!('syscall' in error)) this.#loss ??= 'distrusted';
        this.#end();
      },
    );
    child.stdin?.on('error', () => this.#end());
    const reader = new RecordReader();
    child.stdout?.on('data', (chunk: Buffer) =>
      reader.read(chunk, (...record) => this.#hear(events, record)),
    );
  }

  #becomeReady(onReady: () => void): void {
    if (this.#ready) throw new Error('it reported to be ready more than once');
    this.#ready = true;
    onReady();
  }

  /** Calls in it. */
  get open(): number {
    return this.#calls.open;
  }

  #hear(events: WorkerEvents, [type, first, second, third]: readonly [number, number, number, number]): void {
    if (type === reports.effect) this.#calls.noteEffect(first);
    if (type === reports.busy && this.#calls.isHeld) this.#calls.noteBusy(first, second, third);
    if (type !== reports.held || !this.#calls.isHeld) return;
    this.#calls.takeBack(first);
    this.#channel.send({ type: 'proceed' });
    events.held(this);
  }

  /** For how long nothing has been heard of it while it has something to do, in milliseconds. */
  silentMs(now: number): number {
    return this.#calls.silentMs(now);
  }

  get isHeld(): boolean {
    return this.#calls.isHeld;
  }

  /** Calls that it should be at work on. */
  get running(): number {
    return this.#calls.running;
  }

  get holdsUpOthers(): boolean {
    return this.#calls.holdsUpOthers;
  }

  /** What keeps it from its other calls, while it is held. */
  get holder(): Holder | undefined {
    return this.#calls.holder;
  }

  /** Gives back its calls that have not begun; `held` follows, even while code keeps it busy. */
  hold(): void {
    if (this.#calls.isHeld) return;
    this.#calls.hold();
    this.#order(orders.hold);
  }

  look(): void {
    this.#order(orders.look);
  }

  /** Ends what it is busy with: for another worker, or because it has used too much processor time. */
  endHolder(how: 'move' | 'end', { stay }: Holder): void {
    this.#order(orders[how], stay);
  }

  #order(order: number, stay = 0): void {
    this.#child.stdin?.write(writeRecord(order, stay));
  }

  /** @param depth of a call that other calls wait for (worker-calls.ts) */
  canTake(depth = 0): boolean {
    return !this.#ending && this.#calls.hasRoom(depth);
  }

  /**
   * Only while `canTake`.
   * @param timeoutMs wall time of the call, from its start
   * @param isMovable whether it can be ended to begin elsewhere, while it has had no effect outside
   * @param answer answers its requests by `bt`; without it the code has no `bt`
   */
  run(call: WorkerCall, timeoutMs: number, isMovable: boolean, done: Done, answer?: AnswerBtRequest): void {
    const { codeId, isNew, newReach, forgotten } = this.#codes.idOf(call);
    if (forgotten !== undefined) this.#channel.send({ type: 'forget', codeId: forgotten });
    if (isNew) this.#channel.send({ type: 'load', codeId, code: call.code });
    if (newReach !== undefined) this.#channel.send({ type: 'reach', codeId, reach: newReach });
    const { argument, lifetime, onEgress, isMeasured = false } = call;
    this.lastUsedAt = performance.now();
    const callId = this.#calls.begin(
      { timeoutMs, lifetime, done, isMovable, answer, onEgress, code: keyOf(call) },
      this.lastUsedAt,
    );
    const hasBt = answer !== undefined;
    this.#channel.send({ type: 'run', callId, codeId, timeoutMs, hasBt, isMeasured, argument });
  }

  /** Parses code, and loads it unless `loadMs` is 0. The outcome is `returned` when that works. Only while `canTake`. */
  compile(code: string, timeoutMs: number, loadMs: number, done: (outcome: Outcome) => void): void {
    this.lastUsedAt = performance.now();
    const call = {
      timeoutMs: timeoutMs + loadMs,
      lifetime: undefined,
      done: (ended: Outcome | Unfinished) => done(ended.kind === 'unfinished' ? { kind: 'crashed' } : ended),
      isMovable: false,
      code: '',
      answer: undefined,
    };
    this.#channel.send({ type: 'compile', callId: this.#calls.begin(call, this.lastUsedAt), loadMs, code });
  }

  /**
   * Called periodically: ends the process when a call in it is too late, it uses too much memory, or it works without
   * a call.
   */
  enforceLimits(): void {
    const now = performance.now();
    if (this.open === 0) return this.#enforceIdleLimits(now);
    const isLate = this.#calls.endLate(now);
    const limitMb = this.#limits.processMemoryMb;
    if (isLate) this.kill();
    else if (holdsMoreThan(limitMb, this.pid)) this.endBy({ kind: 'memory', limitMb });
  }

  #enforceIdleLimits(now: number): void {
    if (!this.#idleWatch.isDue(now)) return;
    const isTooLarge = holdsMoreThan(this.#limits.processMemoryMb, this.pid);
    if (isTooLarge || this.#idleWatch.isTooBusy(this.lastUsedAt)) this.kill();
  }

  /** Settles the call that it is busy with, and ends it. */
  endBy(outcome: Outcome): void {
    this.#calls.endFirst(outcome);
    this.kill();
  }

  /** Ends it at once, for none of the calls that are in it. */
  kill(): void {
    this.#loss ??= 'ended';
    this.#end();
  }

  #end(): void {
    this.#ending = true;
    this.#child.kill('SIGKILL');
  }
}
