import ivm from 'isolated-vm';

import type { Library } from '../library/library.ts';
import { type Operations, text } from './arguments.ts';
import { makeBridge } from './bridge.ts';
import { certificateOperations } from './certificate-operations.ts';
import { constantOperations } from './constant-operations.ts';
import { exchangeOperations } from './crypto-exchange.ts';
import { cryptoLater, cryptoNow } from './crypto-jobs.ts';
import { cryptoOperations } from './crypto-operations.ts';
import { jobOperations } from './jobs.ts';
import type { Door } from './network/door.ts';
import { Network } from './network/network.ts';
import { textOperations } from './text-operations.ts';
import { urlOperations } from './url-operations.ts';
import { WorkQueue } from './work-queue.ts';
import { zlibOperations } from './zlib-operations.ts';

export interface EnvironmentHostParts {
  readonly library: Library;
  readonly isolate: ivm.Isolate;
  readonly context: ivm.Context;
  /** A job has finished: the isolate is to be given the chance to take its outcome. */
  readonly onFinished: () => void;
  /** What user code writes to its console, a piece of text at a time. */
  readonly onConsole: (level: 'info' | 'error', text: string) => void;
  /** The way out; undefined: nothing can be reached. */
  readonly door: Door | undefined;
  /** What else the isolate may call. */
  readonly more: Operations;
}

/** The host's side of one isolate's environment: the two functions that the isolate is given. */
export function environmentCallbacks({
  library,
  isolate,
  context,
  onFinished,
  onConsole,
  door,
  more,
}: EnvironmentHostParts): {
  readonly bridge: ivm.Callback;
  readonly library: ivm.Callback;
  readonly bundle: ivm.Callback;
  /** What an invocation has under way ends with it. */
  readonly endInvocation: () => void;
} {
  const network = new Network(door);
  const work = new WorkQueue();
  const jobs = jobOperations({ ...cryptoLater(work), ...network.jobs() }, onFinished);
  const { packages } = library;
  const operations: Operations = {
    ...constantOperations,
    ...textOperations(),
    ...urlOperations,
    console: (level, line) =>
      onConsole(level === 'error' ? 'error' : 'info', text(line, Number.POSITIVE_INFINITY)),
    ...zlibOperations(),
    ...cryptoOperations(),
    ...cryptoNow,
    ...exchangeOperations,
    ...certificateOperations,
    findPackage: (name) => packages.find(text(name)),
    packageNames: () => packages.names(),
    ...network.operations(),
    ...jobs.operations,
    ...more,
  };
  const evaluate = (name: unknown) => {
    // What this throws would show the isolate its stack.
    if (typeof name !== 'string' || !library.has(name)) return undefined;
    return library.evaluate(isolate, context, name).derefInto({ release: true });
  };
  const evaluateBundle = (name: unknown) => {
    try {
      return typeof name === 'string' ? packages.evaluate(isolate, context, name) : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    bridge: new ivm.Callback(makeBridge(operations)),
    library: new ivm.Callback(evaluate),
    bundle: new ivm.Callback(evaluateBundle),
    endInvocation() {
      network.endInvocation();
      jobs.forget();
      work.callOff();
    },
  };
}
