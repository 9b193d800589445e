import type { Door } from '../environment/host/network/door.ts';
import type { Library } from '../environment/library/library.ts';
import type { FromWorker, ToWorker } from '../worker-protocol/messages.ts';
import { type TextOutcome, isMisbehaviour } from '../worker-protocol/outcome.ts';
import { checkSyntax } from './check-syntax.ts';
import type { SendAsk } from './isolate-asks.ts';
import { UserIsolate } from './isolate.ts';
import { SpareIsolate } from './spare-isolate.ts';
import { Watchdog } from './watchdog.ts';
import type { WorkerOptions } from './worker-options.ts';

interface Code {
  readonly text: string;
  /** Isolates that hold it and wait for a call. */
  readonly idle: UserIsolate[];
  /** By performance.now(). */
  usedAt: number;
  forgotten: boolean;
}

interface Invocation {
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

/** Gives each call an isolate that holds its code, and sees to it that the call ends. */
export class Invocations {
  readonly #options: WorkerOptions;
  readonly #send: (message: FromWorker<string>) => void;
  readonly #codes = new Map<number, Code>();
  readonly #suspended = new Map<number, Invocation>();
  readonly #spare: SpareIsolate;
  /** The isolate whose code was loaded last, until the worker has had time to learn from it. */
  #fresh: UserIsolate | undefined;
  #isolates = 0;

  constructor(
    options: WorkerOptions,
    library: Library,
    door: Door | undefined,
    send: (message: FromWorker<string>) => void,
  ) {
    this.#options = options;
    this.#send = send;
    const watchdog = new Watchdog();
    this.#spare = new SpareIsolate({
      create: () => new UserIsolate(options, library, watchdog, door),
      packages: () => library.packages.lately,
      isQuiet: () => this.#suspended.size === 0,
      beforehand: () => this.#keepCompiled(),
    });
  }

  handle(message: ToWorker): void {
    this.#take(message);
    this.#spare.notBefore();
  }

  #take(message: ToWorker): void {
    switch (message.type) {
      case 'load':
        this.#codes.set(message.codeId, { text: message.code, idle: [], usedAt: 0, forgotten: false });
        return;
      case 'forget':
        return this.#forget(message.codeId);
      case 'run':
        return this.#run(message);
      case 'cancel':
        return this.#cancel(message.callId);
      case 'compile':
        return this.#compile(message);
      case 'told':
        // One that has ended meanwhile is not there.
        return this.#suspended.get(message.callId)?.isolate.tell(message.askId, message.answer);
      default:
        message satisfies never;
    }
  }

  #run({ callId, codeId, timeoutMs, hasBt, argument }: Extract<ToWorker, { type: 'run' }>): void {
    const code = this.#codes.get(codeId);
    if (code === undefined) throw new Error(`the code ${codeId} was not loaded`);
    const startedAt = performance.now();
    const endsAt = startedAt + timeoutMs;
    code.usedAt = startedAt;
    const isolate = code.idle.pop() ?? this.#create();
    const invocation = { callId, code, isolate, startedAt, endsAt };
    const unusable = isolate.loaded ? undefined : this.#load(isolate, code.text, timeoutMs);
    const sendAsk = hasBt ? this.#sendAskOf(callId) : undefined;
    this.#proceed(
      invocation,
      unusable ?? isolate.start(argument.toString(), endsAt - performance.now(), sendAsk),
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

  #sendAskOf(callId: number): SendAsk {
    return (askId, request) => this.#send({ type: 'ask', callId, askId, request });
  }

  #resume(invocation: Invocation): void {
    this.#proceed(invocation, invocation.isolate.resume(invocation.endsAt - performance.now()));
  }

  #compile({ callId, loadMs, code }: Extract<ToWorker, { type: 'compile' }>): void {
    const parsed = checkSyntax(code, this.#options.memoryMb);
    const outcome = parsed.kind === 'returned' && loadMs > 0 ? this.#loadOnce(code, loadMs) : parsed;
    this.#send({ type: 'settled', callId, tookMs: 0, outcome });
  }

  #loadOnce(code: string, loadMs: number): TextOutcome {
    const isolate = this.#create();
    const outcome = isolate.load(code, loadMs);
    this.#discard(isolate);
    return outcome ?? { kind: 'returned', result: '' };
  }

  #cancel(callId: number): void {
    const invocation = this.#suspended.get(callId);
    if (invocation !== undefined) this.#settle(invocation, { kind: 'cancelled' });
  }

  #proceed(invocation: Invocation, outcome: TextOutcome | undefined): void {
    if (outcome !== undefined) this.#settle(invocation, outcome);
    else if (invocation.wallTimer === undefined) this.#suspend(invocation);
  }

  #suspend(invocation: Invocation): void {
    const { callId, isolate, endsAt } = invocation;
    isolate.onTimer = () => this.#resume(invocation);
    invocation.wallTimer = setTimeout(
      () => this.#settle(invocation, { kind: 'timeout' }),
      endsAt - performance.now(),
    );
    this.#suspended.set(callId, invocation);
    this.#send({ type: 'suspended', callId });
  }

  #settle(invocation: Invocation, outcome: TextOutcome): void {
    const { callId, code, isolate, startedAt } = invocation;
    clearTimeout(invocation.wallTimer);
    this.#suspended.delete(callId);
    const tookMs = Math.trunc(performance.now() - startedAt);
    const log = isolate.takeLog();
    if (log !== undefined) this.#send({ type: 'logged', callId, log });
    this.#send({ type: 'settled', callId, tookMs, outcome });
    const spent = !isolate.loaded || isolate.runs >= this.#options.runsPerIsolate;
    if (spent || code.forgotten || outcome.kind === 'cancelled' || isMisbehaviour(outcome))
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

  #forget(codeId: number): void {
    const code = this.#codes.get(codeId);
    if (code === undefined) return;
    this.#codes.delete(codeId);
    code.forgotten = true;
    for (const isolate of code.idle) this.#discard(isolate);
  }
}
