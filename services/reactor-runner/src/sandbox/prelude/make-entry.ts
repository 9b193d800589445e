import type { LazyEnvironment } from '../../node16/isolate/lazy-environment.ts';
import type { BtRequests } from './make-bt-requests.ts';
import type { Bt } from './make-bt.ts';
import type { Settlement } from './make-settlement.ts';
import type { SettledAs } from './settled-as.ts';

/** The functions of the isolate that the worker calls. */
export interface IsolateEntry {
  /** Does ahead of time what does not depend on the module (make-prepare.ts). */
  prepare(packages: readonly string[], isTrial: boolean): boolean;
  /** Runs the module; undefined when it exports a function. */
  load(module: ModuleFunction): string | undefined;
  /** Starts an invocation; undefined when it has not settled by the end of its own turn. */
  start(argument: string, hasBt?: boolean): string | undefined;
  /** Delivers answers of the host and runs the timers that are due. */
  tick(): void;
  /** The outcome of the invocation (settled-as.ts); undefined while it has not settled. */
  take(): string | undefined;
}

type ModuleFunction = (
  exports: object,
  require: Function,
  module: object,
  file: string,
  folder: string,
  importModule?: (specifier: unknown) => Promise<object>,
) => void;

export interface EntryParts {
  /** The engine's own `JSON.parse`. */
  readonly parse: typeof JSON.parse;
  readonly settlement: Settlement;
  readonly environment: LazyEnvironment;
  readonly btRequests: BtRequests;
  readonly bt: Bt;
  readonly settledAs: SettledAs;
  readonly prepare: IsolateEntry['prepare'];
  /** Replaces `import()`. */
  readonly importModule: (specifier: unknown) => Promise<object>;
  readonly userFile: string;
}

export function makeEntry(parts: EntryParts): IsolateEntry {
  const { parse, settlement, environment, btRequests, bt, settledAs, prepare, importModule, userFile } =
    parts;
  const { apply } = Reflect;
  const { require, runDue, afterTurn } = environment;
  const { begin, succeed, fail, settle, take } = settlement;
  let userFunction: Function | undefined;

  async function succeedLater(which: number, promise: unknown): Promise<void> {
    try {
      succeed(which, await promise);
    } catch (thrown) {
      fail(which, thrown);
    }
  }

  function load(moduleFunction: ModuleFunction): string | undefined {
    const which = begin();
    const exports = {};
    const about = { id: userFile, path: '.', filename: userFile, loaded: false, children: [], paths: [] };
    const module: { exports: unknown; loaded: boolean } = { ...about, exports };
    try {
      const given = [exports, require, module, userFile, '.'];
      const imports = moduleFunction.length > given.length;
      apply(moduleFunction, exports, imports ? [...given, importModule] : given);
      module.loaded = true;
      if (typeof module.exports === 'function') userFunction = module.exports;
      else settle(which, settledAs.notAFunction);
    } catch (thrown) {
      fail(which, thrown);
    }
    afterTurn();
    return take();
  }

  function start(text: string, hasBt?: boolean): string | undefined {
    environment.begin();
    const which = begin();
    let argument: object;
    try {
      argument = parse(text);
    } catch {
      settle(which, settledAs.badArgument);
      return take();
    }
    try {
      if (hasBt === true) bt.addTo(argument, which);
      const value: unknown = apply(userFunction!, undefined, [argument]);
      const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
      if (isObject && 'then' in value) void succeedLater(which, value);
      else succeed(which, value);
    } catch (thrown) {
      fail(which, thrown);
    }
    afterTurn();
    return take();
  }

  function tick(): void {
    btRequests.deliver();
    runDue();
  }

  return { prepare, load, start, tick, take };
}
