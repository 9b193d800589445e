import type { Exports, LoadModule, NodeModules } from '../node-internals.ts';
import { makeStructuredClone } from './structured-clone.ts';

export interface RegistryParts {
  readonly library: (name: string) => unknown;
  readonly process: object;
  readonly substitutes: () => Record<string, () => Exports>;
  readonly bindings: () => Record<string, () => object>;
  /** Called when a module has been evaluated, before its exports are used. */
  readonly onLoaded: (name: string, exports: Exports) => void;
}

/** Node's library: each module is evaluated when it is first asked for. The first must be its primordials. */
export function makeRegistry({
  library,
  process,
  substitutes,
  bindings,
  onLoaded,
}: RegistryParts): LoadModule {
  const modules = new Map<string, { exports: Exports }>();
  const bound = new Map<string, object>();
  const primordials = {};
  const { apply } = Reflect;

  function internalBinding(name: string): object {
    const known = bound.get(name);
    if (known !== undefined) return known;
    const make = bindings()[name];
    if (make === undefined) throw new Error(`No such binding: ${name}`);
    const binding = make();
    bound.set(name, binding);
    return binding;
  }

  function load<Name extends keyof NodeModules>(name: Name): NodeModules[Name];
  function load(name: string): Exports;
  function load(name: string): unknown {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module: { exports: Exports } = { exports: {} };
    modules.set(name, module);
    const substitute = substitutes()[name];
    if (substitute === undefined) evaluate(name, module);
    else module.exports = substitute();
    settle(name, module.exports, load);
    onLoaded(name, module.exports);
    return module.exports;
  }

  function evaluate(name: string, module: { exports: Exports }): void {
    const run = library(name);
    if (typeof run !== 'function') throw new Error(`No such module of Node.js here: ${name}`);
    const args = name.startsWith('internal/per_context/')
      ? [module.exports, primordials, {}, {}]
      : [module.exports, load, module, process, internalBinding, primordials];
    apply(run, undefined, args);
  }
  return load;
}

/** What Node.js does to a few of its modules at its own start. */
export function settle(name: string, exports: Exports, load: LoadModule): void {
  const { initializeDebugEnv } = exports;
  if (name === 'internal/util/debuglog' && typeof initializeDebugEnv === 'function') initializeDebugEnv();
  if (name === 'internal/errors') exports['overrideStackTrace'] = stackOverrides();
  if (name === 'internal/util') exports['structuredClone'] = makeStructuredClone(load);
  if (name === 'internal/console/global') {
    // Of the inspector, which is never there.
    for (const name of ['profile', 'profileEnd', 'timeStamp']) exports[name] = () => {};
    load('internal/console/constructor').initializeGlobalConsole(exports);
  }
}

/** What Node.js does in a hook of the engine: the stack of one error is made by a function of its own. */
export function stackOverrides(): object {
  return {
    set(error: Error, prepare: unknown) {
      const holder: { prepareStackTrace?: unknown } = Error;
      const { prepareStackTrace } = holder;
      holder.prepareStackTrace = prepare;
      void error.stack;
      if (prepareStackTrace === undefined) delete holder.prepareStackTrace;
      else holder.prepareStackTrace = prepareStackTrace;
    },
    has: () => false,
    get() {},
    delete: () => false,
  };
}
