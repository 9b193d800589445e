import ivm from 'isolated-vm';

import { BadOperation } from '../../node16/host/arguments.ts';
import { makeEnvironmentHost } from '../../node16/host/environment-host.ts';
import type { Outbound } from '../../node16/host/network/outbound.ts';
import type { CheckPlace } from '../../node16/host/network/reach-check.ts';
import { type TextOutcome, userFile } from '../../worker-protocol/outcome.ts';
import type { EngineLimits } from '../../worker-protocol/worker-options.ts';
import { BtRequests, type SendBtRequest } from '../bt-requests.ts';
import { ConsoleLog, ownFile } from '../console-log.ts';
import type { IsolateEntry } from '../prelude/make-entry.ts';
import { preludeSource } from '../prelude/prelude.ts';
import { CpuAccount } from './cpu-account.ts';
import type { Library } from './library.ts';
import { UnhandledRejections } from './unhandled-rejections.ts';
import { compileModule, outcomeOf, syntaxProblem } from './user-module.ts';
import type { Watchdog } from './watchdog.ts';

/** Some hundred times of what it takes on an idle machine. */
const prepareMs = 10_000;
/** Of its memory, for packages that were evaluated ahead: the code may require none of them, and need the rest. */
const aheadShare = 0.1;

/**
 * One V8 isolate with one tenant's one module in it; it serves one invocation at a time. All of it runs on the
 * calling thread. An undefined outcome means that the invocation waits.
 */
export class UserIsolate {
  /** Invocations that it has served. */
  runs = 0;
  /** Whether its module exports a function. */
  loaded = false;
  /** Called when a timer of the invocation is due: it is time to `resume` it. */
  onTimer: (() => void) | undefined;
  /** Decides what the invocation may reach, of what the operator allows. Set before each, and before its code is loaded. */
  checkPlace: CheckPlace | undefined;
  /** Whether the invocation has had an effect outside its isolate. */
  hasEffect = false;
  callId = 0;
  readonly #onEffect: (callId: number) => void;
  readonly #cpu: CpuAccount;
  readonly #memoryBytes: number;
  readonly #library: Library;
  readonly #isolate: ivm.Isolate;
  readonly #context: ivm.Context;
  readonly #entry: { readonly [Name in keyof IsolateEntry]: ivm.Reference<IsolateEntry[Name]> };
  readonly #endInvocation: () => void;
  readonly #watchdog: Watchdog;
  /** The watchdog's number for it. */
  readonly #number: number;
  readonly #btRequests: BtRequests;
  readonly #log: ConsoleLog;
  readonly #rejections = new UnhandledRejections();
  #isWaiting = false;
  #isWaking = false;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** @param onEffect receives a call before it has its first effect outside; without `outbound` there is no network */
  constructor(
    limits: EngineLimits,
    library: Library,
    watchdog: Watchdog,
    outbound?: Outbound,
    onEffect: (callId: number) => void = () => undefined,
  ) {
    this.#onEffect = onEffect;
    this.#memoryBytes = limits.memoryMb * 1024 * 1024;
    this.#library = library;
    this.#watchdog = watchdog;
    this.#isolate = new ivm.Isolate({ memoryLimit: limits.memoryMb });
    this.#number = watchdog.add(this.#isolate);
    this.#cpu = new CpuAccount(limits.cpuMs);
    this.#context = this.#isolate.createContextSync();
    const armTimer = (delayMs: unknown) => this.#arm(Math.min(Number(delayMs) || 0, 2_147_483_647));
    this.#btRequests = new BtRequests(
      limits,
      () => this.#wakeUp(),
      () => this.#touch(),
    );
    this.#log = new ConsoleLog(limits.logLength, limits.logLines);
    const host = makeEnvironmentHost({
      packages: library.packages,
      onFinished: () => this.#wakeUp(),
      onConsole: (level, text) => this.#log.add(level, text),
      outbound,
      checkPlace: (place) => this.checkPlace?.(place),
      onEffect: () => this.#touch(),
      more: { ...this.#btRequests.operations, ...this.#rejections.operations },
    });
    const evaluate = (name: unknown) =>
      typeof name === 'string' ? library.evaluate(this.#isolate, this.#context, name) : undefined;
    const evaluateBundle = (name: unknown) => this.#evaluateBundle(name);
    this.#endInvocation = () => {
      this.hasEffect = false;
      host.endInvocation();
      this.#btRequests.end();
      this.#rejections.end();
    };
    const entry: ivm.Reference<IsolateEntry> = this.#context.evalClosureSync(
      preludeSource(limits, userFile),
      [armTimer, host.bridge, evaluate, evaluateBundle].map((each) => new ivm.Callback(each)),
      { result: { reference: true }, filename: ownFile },
    );
    const method = <Name extends keyof IsolateEntry>(name: Name): ivm.Reference<IsolateEntry[Name]> =>
      entry.getSync(name, { reference: true });
    this.#entry = {
      prepare: method('prepare'),
      load: method('load'),
      start: method('start'),
      tick: method('tick'),
      take: method('take'),
    };
  }

  #evaluateBundle(name: unknown): ReturnType<Library['evaluateBundle']> {
    if (typeof name !== 'string') return undefined;
    try {
      return this.#library.evaluateBundle(this.#isolate, this.#context, name);
    } catch {
      // What it threw would show the isolate its stack.
      return undefined;
    }
  }

  /** Makes the environment ahead of time, which takes most of what a cold start takes. */
  prepare(): void {
    this.#prepare([], false, prepareMs);
  }

  /**
   * Evaluates packages ahead, after `prepare`.
   * @param isTrial whether to look at what they change, which takes a while; those of no trial are known to change nothing
   * @returns false when they have changed what is not theirs, left something to do, or taken much memory: code that
   * requires none of them would notice, so it is not to be used
   * @throws Error when one cannot be evaluated, or not in time
   */
  preparePackages(packages: readonly string[], isTrial: boolean, timeoutMs: number): boolean {
    const heldBefore = this.heldBytes;
    const isSame = this.#prepare(packages, isTrial, timeoutMs);
    const isSmall = this.heldBytes - heldBefore <= aheadShare * this.#memoryBytes;
    return isSame && isSmall && this.#timer === undefined && this.#immediate === undefined;
  }

  /**
   * Makes what it has needed of Node.js and of packages quicker to get for other isolates; takes a while.
   * @returns whether it can be used any more: that takes memory of it
   */
  keepCompiled(): boolean {
    try {
      if (!this.#isolate.isDisposed) this.#library.keepCalled(this.#isolate);
    } catch {
      // The others do without.
    }
    return !this.#isolate.isDisposed;
  }

  /** Compiles and runs the module. An outcome says why it can't be used. */
  load(code: string, timeoutMs: number): TextOutcome | undefined {
    let module: ivm.Reference;
    try {
      const script = compileModule(this.#isolate, code);
      module = script.runSync(this.#context, { timeout: timeoutMs, reference: true });
      script.release();
    } catch (error) {
      return this.#isolate.isDisposed
        ? { kind: 'memory' }
        : { kind: 'not_a_function', reason: syntaxProblem(this.#isolate, code, error) };
    }
    const outcome = this.#slice(this.#entry.load, [module.derefInto({ release: true })], timeoutMs);
    this.loaded = outcome === undefined;
    return outcome;
  }

  /** @param sendBtRequest without it the code gets no `bt`. */
  start(argument: string, timeoutMs: number, sendBtRequest?: SendBtRequest): TextOutcome | undefined {
    this.#cpu.begin();
    this.runs += 1;
    if (sendBtRequest === undefined) return this.#slice(this.#entry.start, [argument], timeoutMs);
    this.#btRequests.begin(sendBtRequest);
    return this.#slice(this.#entry.start, [argument, true], timeoutMs);
  }

  resume(timeoutMs: number): TextOutcome | undefined {
    return this.#cpu.charge(() => this.#slice(this.#entry.tick, [], timeoutMs));
  }

  /** Of memory; 0 when it has been disposed. */
  get heldBytes(): number {
    if (this.#isolate.isDisposed) return 0;
    const statistics = this.#isolate.getHeapStatisticsSync();
    return statistics.used_heap_size + statistics.externally_allocated_size;
  }

  /** Answers a request by `bt` of the invocation that goes on. */
  answerBt(requestId: number, answer: Buffer): void {
    this.#btRequests.answer(requestId, answer);
  }

  /** The log since the last call, as JSON text; undefined when it is empty. */
  takeLog(): Buffer | undefined {
    return this.#log.take();
  }

  dispose(): void {
    this.#isWaiting = false;
    this.#disarm();
    this.#endInvocation();
    this.#watchdog.remove(this.#number);
    try {
      this.#isolate.dispose();
    } catch (error) {
      // The watchdog has been quicker, maybe just now.
      if (!this.#isolate.isDisposed) throw error;
    }
  }

  #prepare(packages: readonly string[], isTrial: boolean, timeoutMs: number): boolean {
    const names = new ivm.ExternalCopy(packages).copyInto({ release: true });
    return this.#entry.prepare.applySync(undefined, [names, isTrial], { timeout: timeoutMs });
  }

  /** Resumes the invocation soon, if one goes on; once for all that happens until then. */
  #wakeUp(): void {
    if (!this.#isWaiting || this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      if (this.#isWaiting) this.onTimer?.();
    });
  }

  #arm(delayMs: number): void {
    this.#disarm();
    if (delayMs > 0) this.#timer = setTimeout(() => this.onTimer?.(), delayMs);
    else this.#immediate = setImmediate(() => this.onTimer?.());
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  /** One uninterrupted stay in the isolate, microtasks included. */
  #slice(
    entry: ivm.Reference<(...args: never[]) => unknown>,
    args: ivm.Transferable[],
    timeoutMs: number,
  ): TextOutcome | undefined {
    const { leftMs } = this.#cpu;
    if (leftMs <= 0) return { kind: 'cpu' };
    const stay = this.#watchdog.begin(this.#number, timeoutMs, leftMs, this.hasEffect);
    const text = this.#enter(entry, args) ?? this.#enter(this.#entry.take, []);
    const ending = this.#watchdog.end(stay);
    if (ending !== undefined) return { kind: ending };
    if (text === undefined && this.#isolate.isDisposed) return { kind: 'memory' };
    this.#isWaiting = text === undefined;
    if (this.#rejections.areWaiting) this.#wakeUp();
    if (text === undefined) return undefined;
    this.#disarm();
    this.#endInvocation();
    return outcomeOf(text);
  }

  /** @throws BadOperation when the invocation is being ended: it must have no effect any more */
  #touch(): void {
    if (this.hasEffect) return;
    if (!this.#watchdog.touch()) throw new BadOperation('the run is being ended');
    this.hasEffect = true;
    this.#onEffect(this.callId);
  }

  /** Undefined when it has given nothing, or has been disposed. */
  #enter(entry: ivm.Reference<(...args: never[]) => unknown>, args: ivm.Transferable[]): string | undefined {
    try {
      return entry.applySync(undefined, args as never) as string | undefined;
    } catch (thrown) {
      // A running invocation only throws unhandled rejections of promises; they do not end it.
      if (!this.#isolate.isDisposed) this.#rejections.add(thrown);
      return undefined;
    }
  }
}
