import { openOutbound } from '../../node16/host/network/outbound.ts';
import { compileReachCheck } from '../../node16/host/network/reach-check.ts';
import type { CodeReach } from '../../worker-protocol/code-reach.ts';
import { type TextOutcome, isMisbehaviour } from '../../worker-protocol/outcome.ts';
import type { WorkerOptions } from '../../worker-protocol/worker-options.ts';
import type { SendBtRequest } from '../bt-requests.ts';
import type { Engine, EngineCall, EngineEvent, OpenEngine } from '../engine.ts';
import { places } from '../shared-cells.ts';
import { type Code, CodeIsolates } from './code-isolates.ts';
import { Library } from './library.ts';
import { SpareIsolate } from './spare-isolate.ts';
import { UserIsolate } from './user-isolate.ts';
import { checkSyntax } from './user-module.ts';
import { Watchdog } from './watchdog.ts';

interface Run {
  readonly callId: number;
  readonly code: Code;
  readonly isolate: UserIsolate;
  /** Both by performance.now(). */
  readonly startedAt: number;
  readonly endsAt: number;
  readonly isMeasured: boolean;
  /** Set while it is suspended. */
  wallTimer?: NodeJS.Timeout;
}

/** A call that takes less has not made the process much larger; to look at its size takes some microseconds. */
const longMs = 3;

export const openIsolatedVm: OpenEngine = (options, cells) => {
  const library = new Library(options.libraryFile, options.packagesFile);
  const outbound = options.offline === true ? undefined : openOutbound(options.network);
  return (emit) => {
    const watchdog = new Watchdog(undefined, cells);
    const onEffect = (callId: number) => emit({ type: 'effect', callId });
    const create = () => new UserIsolate(options, library, watchdog, outbound, onEffect);
    return new IsolatedVmEngine(options, create, () => library.packages.lately, cells, emit);
  };
};

/** Gives each call an isolate that holds its code, and ends the call in time. */
class IsolatedVmEngine implements Engine {
  readonly #options: WorkerOptions;
  readonly #emit: (event: EngineEvent) => void;
  readonly #cells: Int32Array<SharedArrayBuffer>;
  readonly #suspended = new Map<number, Run>();
  readonly #spare: SpareIsolate;
  readonly #isolates: CodeIsolates;
  /** The isolate whose code was loaded last, until its compiled code has been kept. */
  #fresh: UserIsolate | undefined;

  constructor(
    options: WorkerOptions,
    create: () => UserIsolate,
    packages: () => readonly string[],
    cells: Int32Array<SharedArrayBuffer>,
    emit: (event: EngineEvent) => void,
  ) {
    this.#options = options;
    this.#cells = cells;
    this.#emit = emit;
    this.#spare = new SpareIsolate({
      create,
      packages,
      isQuiet: () => this.#suspended.size === 0,
      beforehand: () => this.#keepCompiled(),
    });
    this.#isolates = new CodeIsolates(options, this.#spare);
  }

  load(codeId: number, code: string): void {
    this.#isolates.load(codeId, code);
  }

  restrict(codeId: number, reach: CodeReach): void {
    this.#isolates.get(codeId).createPlaceCheck = compileReachCheck(reach);
  }

  run({ callId, codeId, timeoutMs, hasBt, isMeasured, argument }: EngineCall): void {
    const code = this.#isolates.get(codeId);
    const startedAt = performance.now();
    const endsAt = startedAt + timeoutMs;
    code.usedAt = startedAt;
    const isolate = code.idle.pop() ?? this.#isolates.create();
    const run = { callId, code, isolate, startedAt, endsAt, isMeasured };
    isolate.checkPlace = code.createPlaceCheck?.((report) =>
      this.#emit({ type: 'egress', callId, ...report }),
    );
    Atomics.store(this.#cells, places.call, callId);
    isolate.callId = callId;
    const unusable = isolate.loaded ? undefined : this.#load(isolate, code.text, timeoutMs);
    const sendBtRequest = hasBt ? this.#btOf(callId) : undefined;
    this.#proceed(
      run,
      unusable ?? isolate.start(argument.toString(), endsAt - performance.now(), sendBtRequest),
    );
  }

  cancel(callId: number): void {
    const run = this.#suspended.get(callId);
    if (run !== undefined) this.#settle(run, { kind: 'cancelled' });
  }

  dispose(codeId: number): void {
    this.#isolates.dispose(codeId);
  }

  check(callId: number, code: string, loadMs: number): void {
    const parsed = checkSyntax(code, this.#options.memoryMb);
    const outcome = parsed.kind === 'returned' && loadMs > 0 ? this.#loadOnce(code, loadMs) : parsed;
    this.#emit({ type: 'settled', callId, tookMs: 0, heldKb: 0, outcome });
    this.#spare.notBefore();
  }

  answer(callId: number, requestId: number, answer: Buffer): void {
    this.#suspended.get(callId)?.isolate.answerBt(requestId, answer);
  }

  #load(isolate: UserIsolate, code: string, timeoutMs: number): TextOutcome | undefined {
    this.#fresh = isolate;
    return isolate.load(code, timeoutMs);
  }

  /** Makes what new code has needed quicker to get for the next. */
  #keepCompiled(): void {
    const isolate = this.#fresh;
    this.#fresh = undefined;
    if (isolate !== undefined && !isolate.keepCompiled()) this.#isolates.discardIdle(isolate);
  }

  #btOf(callId: number): SendBtRequest {
    return (requestId, request) => this.#emit({ type: 'btRequest', callId, requestId, request });
  }

  #resume(run: Run): void {
    Atomics.store(this.#cells, places.call, run.callId);
    this.#proceed(run, run.isolate.resume(run.endsAt - performance.now()));
  }

  #loadOnce(code: string, loadMs: number): TextOutcome {
    const isolate = this.#isolates.create();
    const outcome = isolate.load(code, loadMs);
    this.#isolates.discard(isolate);
    return outcome ?? { kind: 'returned', result: '' };
  }

  #proceed(run: Run, outcome: TextOutcome | undefined): void {
    if (outcome !== undefined) this.#settle(run, outcome);
    else if (run.wallTimer === undefined) this.#suspend(run);
  }

  #suspend(run: Run): void {
    const { callId, isolate, endsAt } = run;
    isolate.onTimer = () => this.#resume(run);
    const late = { kind: 'timeout', wasWaiting: true } as const;
    run.wallTimer = setTimeout(() => this.#settle(run, late), endsAt - performance.now());
    this.#suspended.set(callId, run);
    this.#emit({ type: 'suspended', callId });
  }

  #settle(run: Run, outcome: TextOutcome): void {
    const { callId, code, isolate, startedAt } = run;
    clearTimeout(run.wallTimer);
    this.#suspended.delete(callId);
    const tookMs = Math.trunc(performance.now() - startedAt);
    const log = isolate.takeLog();
    if (log !== undefined && outcome.kind !== 'moved') this.#emit({ type: 'logged', callId, log });
    const heldKb = run.isMeasured ? Math.ceil(isolate.heldBytes / 1024) : 0;
    this.#emit({ type: 'settled', callId, tookMs, heldKb, outcome });
    const spent = !isolate.loaded || isolate.runs >= this.#options.runsPerIsolate;
    if (spent || code.isDisposed || endsIsolate(outcome)) this.#isolates.discard(isolate);
    else code.idle.push(isolate);
    if (tookMs >= longMs) this.#isolates.makeRoom();
    this.#spare.notBefore();
  }
}

/** Its isolate may be disposed, or hold what the call has left behind. */
function endsIsolate(outcome: TextOutcome): boolean {
  return outcome.kind === 'cancelled' || outcome.kind === 'moved' || isMisbehaviour(outcome);
}
