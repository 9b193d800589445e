import type { LazyEnvironment } from '../../environment/isolate/lazy-environment.ts';
import type { Settlement } from './make-settlement.ts';
import type { SettledAs } from './settled-as.ts';

/** The functions of the isolate that the worker calls. */
export interface IsolateEntry {
  /** Runs the module; undefined when it exports a function. */
  load(module: ModuleFunction): string | undefined;
  /** Starts an invocation; undefined when it has not settled by the end of its own turn. */
  start(argument: string): string | undefined;
  /** Runs the timers that are due. */
  tick(): void;
  /** What became of the invocation (settled-as.ts); undefined when it has not settled. */
  take(): string | undefined;
}

type ModuleFunction = (
  exports: object,
  require: Function,
  module: object,
  file: string,
  folder: string,
) => void;

export interface EntryParts {
  readonly settlement: Settlement;
  readonly environment: LazyEnvironment;
  readonly settledAs: SettledAs;
  readonly userFile: string;
}

export function makeEntry({ settlement, environment, settledAs, userFile }: EntryParts): IsolateEntry {
  const { parse } = JSON;
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
    const module: { exports: unknown } = { exports: {} };
    try {
      apply(moduleFunction, module.exports, [module.exports, require, module, userFile, '.']);
      if (typeof module.exports === 'function') userFunction = module.exports;
      else settle(which, settledAs.notAFunction);
    } catch (thrown) {
      fail(which, thrown);
    }
    afterTurn();
    return take();
  }

  function start(text: string): string | undefined {
    const which = begin();
    let argument: unknown;
    try {
      argument = parse(text);
    } catch {
      settle(which, settledAs.badArgument);
      return take();
    }
    try {
      const value: unknown = apply(userFunction as Function, undefined, [argument]);
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
    runDue();
  }

  return { load, start, tick, take };
}
