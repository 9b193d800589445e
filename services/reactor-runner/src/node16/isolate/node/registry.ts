import { makeStructuredClone } from './structured-clone.ts';

type ModuleFunction = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: unknown },
  process: object,
  internalBinding: (name: string) => object,
  primordials: object,
) => void;

type Load = (name: string) => Record<string, unknown>;

export interface RegistryParts {
  readonly library: (name: string) => unknown;
  readonly process: object;
  readonly substitutes: () => Record<string, () => object>;
  readonly bindings: () => Record<string, () => object>;
  /** A module has been evaluated; nobody has its exports yet. */
  readonly onLoaded: (name: string, exports: Record<string, unknown>) => void;
}

/** Node's library: each module is evaluated when it is first asked for. */
export function makeRegistry({ library, process, substitutes, bindings, onLoaded }: RegistryParts): Load {
  const modules = new Map<string, { exports: unknown }>();
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

  function load(name: string): unknown {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    modules.set(name, module);
    const substitute = substitutes()[name];
    if (substitute === undefined) evaluate(name, module);
    else module.exports = substitute();
    settle(name, module.exports as Record<string, unknown>, load as Load);
    onLoaded(name, module.exports as Record<string, unknown>);
    return module.exports;
  }

  function evaluate(name: string, module: { exports: unknown }): void {
    const run = library(name) as ModuleFunction | undefined;
    if (run === undefined) throw new Error(`No such module of Node.js here: ${name}`);
    const args = name.startsWith('internal/per_context/')
      ? [module.exports, primordials, {}, {}]
      : [module.exports, load, module, process, internalBinding, primordials];
    apply(run, undefined, args);
  }

  load('internal/per_context/primordials');
  return load as Load;
}

/** What Node.js does to a few of its modules at its own start. */
export function settle(name: string, exports: Record<string, unknown>, load: Load): void {
  const start = (member: string, ...args: unknown[]) =>
    Reflect.apply(exports[member] as Function, undefined, args) as void;
  if (name === 'internal/util/debuglog') start('initializeDebugEnv');
  if (name === 'internal/errors') exports['overrideStackTrace'] = stackOverrides();
  if (name === 'internal/util') exports['structuredClone'] = makeStructuredClone(load);
  if (name === 'internal/console/global') {
    // Of the inspector, which is never there.
    for (const name of ['profile', 'profileEnd', 'timeStamp']) exports[name] = () => {};
    const { initializeGlobalConsole } = load('internal/console/constructor');
    Reflect.apply(initializeGlobalConsole as Function, undefined, [exports]);
  }
}

/** What Node.js does in a hook of the engine: the stack of one error is made by a function of its own. */
export function stackOverrides(): object {
  return {
    set(error: Error, prepare: unknown) {
      const holder = Error as unknown as { prepareStackTrace?: unknown };
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
