import { openOutbound } from '../../node16/host/network/outbound.ts';
import { type TextOutcome, isMisbehaviour } from '../../worker-protocol/outcome.ts';
import type { WorkerOptions } from '../../worker-protocol/worker-options.ts';
import type { SendBtRequest } from '../bt-requests.ts';
import type { Engine, EngineCall, EngineEvent, OpenEngine } from '../engine.ts';
import { Library } from './library.ts';
import { SpareIsolate } from './spare-isolate.ts';
import { UserIsolate } from './user-isolate.ts';
import { checkSyntax } from './user-module.ts';
import { Watchdog } from './watchdog.ts';

interface Code {
  readonly text: string;
  /** Isolates that hold it and wait for a call. */
  readonly idle: UserIsolate[];
  /** By performance.now(). */
  usedAt: number;
  disposed: boolean;
}

interface Run {
  readonly callId: number;
  readonly code: Code;
  readonly isolate: UserIsolate;
  /** Both by performance.now(). */
  readonly startedAt: number;
  readonly endsAt: number;
  /** Set while it is suspended. */
  wallTimer?: NodeJS.Timeout;
}

const mebibyte = 1024 * 1024;
/** Beyond this share of the process' memory idle isolates make room. */
const fullShare = 0.6;
/** So much of it they keep: where it is something else that fills the process, it would be no help that they go. */
const idleShare = 0.05;
/** A call that takes less has not made the process much larger; to look at its size takes some microseconds. */
const longMs = 3;

export const openIsolatedVm: OpenEngine = (options) => {
  const library = new Library(options.libraryFile, options.packagesFile);
  const outbound = options.offline === true ? undefined : openOutbound(options.network);
  return (emit) => {
    const watchdog = new Watchdog();
    const create = () => new UserIsolate(options, library, watchdog, outbound);
    return new IsolatedVmEngine(options, create, () => library.packages.lately, emit);
  };
};

/** Gives each call an isolate that holds its code, and ends the call in time. */
class IsolatedVmEngine implements Engine {
  readonly #options: WorkerOptions;
  readonly #emit: (event: EngineEvent) => void;
  readonly #codes = new Map<number, Code>();
  readonly #suspended = new Map<number, Run>();
  readonly #spare: SpareIsolate;
  /** The isolate whose code was loaded last, until the worker has had time to learn from it. */
  #fresh: UserIsolate | undefined;
  #isolates = 0;

  constructor(
    options: WorkerOptions,
    create: () => UserIsolate,
    packages: () => readonly string[],
    emit: (event: EngineEvent) => void,
  ) {
    this.#options = options;
    this.#emit = emit;
    this.#spare = new SpareIsolate({
      create,
      packages,
      isQuiet: () => this.#suspended.size === 0,
      beforehand: () => this.#keepCompiled(),
    });
  }

  load(codeId: number, code: string): void {
    this.#codes.set(codeId, { text: code, idle: [], usedAt: 0, disposed: false });
  }

  run({ callId, codeId, timeoutMs, hasBt, argument }: EngineCall): void {
    const code = this.#codes.get(codeId);
    if (code === undefined) throw new Error(`the code ${codeId} was not loaded`);
    const startedAt = performance.now();
    const endsAt = startedAt + timeoutMs;
    code.usedAt = startedAt;
    const isolate = code.idle.pop() ?? this.#create();
    const run = { callId, code, isolate, startedAt, endsAt };
    const unusable = isolate.loaded ? undefined : this.#load(isolate, code.text, timeoutMs);
    const sendBtRequest = hasBt ? this.#btOf(callId) : undefined;
    this.#proceed(
      run,
      unusable ?? isolate.start(argument.toString(), endsAt - performance.now(), sendBtRequest),
    );
  }

  #load(isolate: UserIsolate, code: string, timeoutMs: number): TextOutcome | undefined {
    this.#fresh = isolate;
    return isolate.load(code, timeoutMs);
  }

  /** What new code has needed is quicker to get for the next. */
  #keepCompiled(): void {
    const isolate = this.#fresh;
    this.#fresh = undefined;
    if (isolate === undefined || isolate.keepCompiled()) return;
    for (const { idle } of this.#codes.values()) {
      const at = idle.indexOf(isolate);
      if (at < 0) continue;
      idle.splice(at, 1);
      this.#discard(isolate);
    }
  }

  #btOf(callId: number): SendBtRequest {
    return (askId, request) => this.#emit({ type: 'btRequest', callId, requestId: askId, request });
  }

  #resume(run: Run): void {
    this.#proceed(run, run.isolate.resume(run.endsAt - performance.now()));
  }

  check(callId: number, code: string, loadMs: number): void {
    const parsed = checkSyntax(code, this.#options.memoryMb);
    const outcome = parsed.kind === 'returned' && loadMs > 0 ? this.#loadOnce(code, loadMs) : parsed;
    this.#emit({ type: 'settled', callId, tookMs: 0, outcome });
    this.#spare.notBefore();
  }

  #loadOnce(code: string, loadMs: number): TextOutcome {
    const isolate = this.#create();
    const outcome = isolate.load(code, loadMs);
    this.#discard(isolate);
    return outcome ?? { kind: 'returned', result: '' };
  }

  dispose(codeId: number): void {
    const code = this.#codes.get(codeId);
    if (code === undefined) return;
    this.#codes.delete(codeId);
    code.disposed = true;
    for (const isolate of code.idle) this.#discard(isolate);
  }

  answer(callId: number, askId: number, answer: Buffer): void {
    this.#suspended.get(callId)?.isolate.answerBt(askId, answer);
  }

  cancel(callId: number): void {
    const run = this.#suspended.get(callId);
    if (run !== undefined) this.#settle(run, { kind: 'cancelled' });
  }

  #proceed(run: Run, outcome: TextOutcome | undefined): void {
    if (outcome !== undefined) this.#settle(run, outcome);
    else if (run.wallTimer === undefined) this.#suspend(run);
  }

  #suspend(run: Run): void {
    const { callId, isolate, endsAt } = run;
    isolate.onTimer = () => this.#resume(run);
    run.wallTimer = setTimeout(() => this.#settle(run, { kind: 'timeout' }), endsAt - performance.now());
    this.#suspended.set(callId, run);
    this.#emit({ type: 'suspended', callId });
  }

  #settle(run: Run, outcome: TextOutcome): void {
    const { callId, code, isolate, startedAt } = run;
    clearTimeout(run.wallTimer);
    this.#suspended.delete(callId);
    const tookMs = Math.trunc(performance.now() - startedAt);
    const log = isolate.takeLog();
    if (log !== undefined) this.#emit({ type: 'logged', callId, log });
    this.#emit({ type: 'settled', callId, tookMs, outcome });
    const spent = !isolate.loaded || isolate.runs >= this.#options.runsPerIsolate;
    if (spent || code.disposed || outcome.kind === 'cancelled' || isMisbehaviour(outcome))
      this.#discard(isolate);
    else code.idle.push(isolate);
    if (tookMs >= longMs) this.#makeRoom();
    this.#spare.notBefore();
  }

  #create(): UserIsolate {
    if (this.#isolates >= this.#options.isolates) this.#discardAnIdleOne();
    this.#makeRoom();
    this.#isolates += 1;
    return this.#spare.take() ?? this.#spare.create();
  }

  /** What idle code holds goes before a call is ended for the size of it all. */
  #makeRoom(): void {
    while (this.#isFull() && this.#idleHoldMuch() && this.#discardAnIdleOne());
  }

  /** Long before the runner ends this process for its size. */
  #isFull(): boolean {
    return process.memoryUsage.rss() > fullShare * this.#options.processMemoryMb * mebibyte;
  }

  #idleHoldMuch(): boolean {
    const idle = [...this.#codes.values()].flatMap((code) => code.idle);
    const held = idle.reduce((sum, isolate) => sum + isolate.heldBytes, 0);
    return held > idleShare * this.#options.processMemoryMb * mebibyte;
  }

  /** Of the code that has not been used for the longest. @returns whether there was one. */
  #discardAnIdleOne(): boolean {
    let oldest: Code | undefined;
    for (const code of this.#codes.values()) {
      if (code.idle.length > 0 && code.usedAt < (oldest?.usedAt ?? Infinity)) oldest = code;
    }
    const isolate = oldest?.idle.shift();
    if (isolate !== undefined) this.#discard(isolate);
    return isolate !== undefined;
  }

  #discard(isolate: UserIsolate): void {
    this.#isolates -= 1;
    isolate.dispose();
  }
}
