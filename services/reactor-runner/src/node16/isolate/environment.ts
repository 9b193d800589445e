import { bufferBinding } from './bindings/buffer.ts';
import { cryptoBinding } from './bindings/crypto/crypto.ts';
import { icuBinding } from './bindings/icu.ts';
import { messagingBinding } from './bindings/messaging.ts';
import { plainBindings } from './bindings/plain.ts';
import { stringDecoderBinding } from './bindings/string-decoder.ts';
import { type TimersBinding, timersBinding } from './bindings/timers.ts';
import { typesBinding } from './bindings/types.ts';
import { urlBinding } from './bindings/url.ts';
import { utilBinding } from './bindings/util.ts';
import { zlibBinding } from './bindings/zlib.ts';
import { type Bridge, makeCallHost } from './bridge.ts';
import { networkBindings } from './network/network-bindings.ts';
import { makeNetwork } from './network/network.ts';
import { guardHttp, guardSockets, netOfPackages } from './network/sockets.ts';
import { tlsModules } from './network/tls.ts';
import type { LoadModule } from './node-internals.ts';
import { makeHostJobs } from './node/host-jobs.ts';
import { type Packages, makePackages } from './node/packages.ts';
import { performanceBinding } from './node/performance.ts';
import { makePhases } from './node/phases.ts';
import { bareProcess, fillProcess, processMethodsBinding } from './node/process.ts';
import { makeRegistry } from './node/registry.ts';
import { makeRejections } from './node/rejections.ts';
import { makeStandIns } from './node/stand-ins.ts';
import { substituteModules } from './node/substitutes.ts';
import { makeTickQueue } from './node/tick-queue.ts';
import type { Scope } from './scope.ts';

export interface Environment {
  /** The module of a name; throws when it is not offered. */
  readonly load: LoadModule;
  readonly process: object;
  readonly packages: Packages;
  /** One turn of the event loop's wheel: timers, what the host has done, or immediates. */
  readonly runDue: () => void;
  /** Runs what `process.nextTick` has put off. */
  readonly drain: () => void;
  /** Ends what goes on. What waits for the network gets an error; what starts because of that goes no further. */
  readonly end: () => void;
  /** Drops timers, connections and jobs, without callbacks. */
  readonly clear: () => void;
}

export interface EnvironmentParts {
  readonly bridge: Bridge;
  /** The value of one text of the library. */
  readonly library: (name: string) => unknown;
  /** The value of one text of the pack of packages. */
  readonly bundle: (name: string) => unknown;
  /** The `require` of user code. */
  readonly require: (name: unknown) => unknown;
  readonly arm: (delayMs: number) => void;
  readonly onError: (thrown: unknown) => void;
}

/** Node.js 16 within the isolate: its own library, on bindings made here and operations of the host. */
export function makeEnvironment(parts: EnvironmentParts): Environment {
  const { bridge, library, bundle, require, arm, onError } = parts;
  const call = makeCallHost(bridge);
  const process = bareProcess();
  const invalid = (callback: unknown): never => {
    load('internal/validators').validateFunction(callback, 'callback');
    throw new TypeError('callback');
  };
  const uncaught = (thrown: unknown) => {
    const { listenerCount, emit } = process;
    const isHandled = Reflect.apply(listenerCount, process, ['uncaughtException']) > 0;
    if (isHandled) Reflect.apply(emit, process, ['uncaughtException', thrown, 'uncaughtException']);
    else onError(thrown);
  };
  const ticks = makeTickQueue(invalid, uncaught);
  const pause = {};
  const runNextTicks = () => {
    ticks.drain();
    // Microtasks run when the host is back: the rest of the timers is run by its next call.
    throw pause;
  };
  const jobs = makeHostJobs(call);
  const load = makeRegistry({
    library,
    process,
    substitutes: () => substitutes,
    bindings: () => bindings,
    onLoaded(name, exports) {
      if (name === 'net') guardSockets(scope, network);
      else guardHttp(name, exports, network);
    },
  });
  const scope: Scope = { call, jobs, load, process, arm };
  const network = makeNetwork(scope);
  const substitutes = {
    ...substituteModules(ticks, scope.load),
    ...tlsModules(scope, network),
    'net/packages': () => netOfPackages(scope, network),
  };
  const timers: TimersBinding = timersBinding(scope);
  const plain = plainBindings(scope);
  const bindings: Record<string, () => object> = {
    ...plain,
    ...networkBindings(scope, network),
    buffer: () => bufferBinding(scope),
    string_decoder: () => stringDecoderBinding(scope),
    types: typesBinding,
    util: utilBinding,
    timers: () => timers,
    url: () => urlBinding(scope),
    process_methods: () => processMethodsBinding(Date.now()),
    icu: () => icuBinding(scope),
    zlib: () => zlibBinding(scope),
    messaging: () => messagingBinding(scope, plain.symbols()),
    performance: () => performanceBinding(scope),
    crypto: () => cryptoBinding(scope),
  };
  load('internal/per_context/primordials');
  fillProcess(scope, ticks);
  const rejections = makeRejections(scope);
  const { processImmediate, processTimers } = load('internal/timers').getTimerCallbacks(runNextTicks);
  timers.setupTimers(processImmediate, processTimers);
  const attempt = (run: () => void) => {
    try {
      run();
      return true;
    } catch (thrown) {
      if (thrown !== pause) uncaught(thrown);
      return false;
    }
  };
  const drain = () => {
    while (!ticks.isEmpty()) attempt(ticks.drain);
  };
  const runPhase = makePhases({ attempt, drain, jobs, timers, uncaught });
  const clear = () => {
    network.clear();
    ticks.clear();
    jobs.clear();
    timers.clear();
    rejections.clear();
  };
  const standIn = makeStandIns(scope);
  const requireNode = (name: string) =>
    standIn(name.startsWith('node:') ? name.slice(5) : name) ?? require(name);
  return {
    load,
    process,
    packages: makePackages({ call, evaluate: bundle, require: requireNode }),
    runDue() {
      rejections.report(uncaught);
      runPhase();
    },
    drain,
    end() {
      ticks.clear();
      jobs.clear();
      // As in Node.js, what waits for a connection hears that it is gone.
      if (network.clear()) drain();
      clear();
    },
    clear,
  };
}
