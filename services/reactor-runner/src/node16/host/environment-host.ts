import type { PackageLibrary } from '../library/package-library.ts';
import { type Operations, text } from './arguments.ts';
import { makeBridge } from './bridge.ts';
import { certificateOperations } from './certificate-operations.ts';
import { constantOperations } from './constant-operations.ts';
import { exchangeOperations } from './crypto-exchange.ts';
import { cryptoLater, cryptoNow } from './crypto-jobs.ts';
import { cryptoOperations } from './crypto-operations.ts';
import { jobOperations } from './jobs.ts';
import { Network } from './network/network.ts';
import type { Outbound } from './network/outbound.ts';
import type { CheckPlace } from './network/reach-check.ts';
import { textOperations } from './text-operations.ts';
import { urlOperations } from './url-operations.ts';
import { WorkQueue } from './work-queue.ts';
import { zlibOperations } from './zlib-operations.ts';

export interface EnvironmentHostParts {
  readonly packages: PackageLibrary;
  /** A job has finished: the isolate is to be given the chance to take its outcome. */
  readonly onFinished: () => void;
  /** What user code writes to its console, a piece of text at a time. */
  readonly onConsole: (level: 'info' | 'error', text: string) => void;
  /** The way out; undefined: nothing can be reached. */
  readonly outbound: Outbound | undefined;
  /** Decides on each host before it is looked up. */
  readonly checkPlace: CheckPlace;
  /** Called before anything is sent out. It throws when nothing may be sent any more. */
  readonly onEffect: () => void;
  /** What else the isolate may call. */
  readonly more: Operations;
}

export interface EnvironmentHost {
  /** The function by which the isolate reaches all operations. */
  readonly bridge: ReturnType<typeof makeBridge>;
  /** What an invocation has under way ends with it. */
  readonly endInvocation: () => void;
}

/** The host's side of one isolate's environment. */
export function makeEnvironmentHost({
  packages,
  onFinished,
  onConsole,
  outbound,
  checkPlace,
  onEffect,
  more,
}: EnvironmentHostParts): EnvironmentHost {
  const network = new Network(outbound, checkPlace, onEffect);
  const work = new WorkQueue();
  const jobs = jobOperations({ ...cryptoLater(work), ...network.jobs() }, onFinished);
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
  return {
    bridge: makeBridge(operations),
    endInvocation() {
      network.endInvocation();
      jobs.forget();
      work.callOff();
    },
  };
}
