import type { Environment, EnvironmentParts } from './environment.ts';

export interface LazyEnvironment {
  readonly require: (name: unknown) => unknown;
  /** Makes the environment with these modules and packages ahead of any use. */
  readonly prepare: (names: readonly string[]) => void;
  /** To be called at the end of each stay in the isolate. */
  readonly afterTurn: () => void;
  readonly runDue: () => void;
  /** What an earlier invocation has begun after its own end goes no further; what the module's code has, does. */
  readonly begin: () => void;
  readonly end: () => void;
}

export interface LazyEnvironmentParts extends Omit<EnvironmentParts, 'require'> {
  /** Modules that are there without an environment, by name. */
  readonly own: Readonly<Record<string, () => unknown>>;
}

/**
 * Puts Node's globals and `require` in place, on an environment that is only made when one of them is first used.
 * It depends on nothing: it is evaluated before the rest of the environment.
 */
export function makeLazyEnvironment({ own, ...parts }: LazyEnvironmentParts): LazyEnvironment {
  const { library } = parts;
  let made: Environment | undefined;
  let hasEnded = false;
  const { defineProperty, apply, get } = Reflect;
  const { startsWith, slice } = String.prototype;
  const { includes } = Array.prototype;
  const { hasOwn } = Object;

  function environmentIfInstalled(): Environment | undefined {
    if (made === undefined) {
      const make = library('environment') as ((parts: EnvironmentParts) => Environment) | undefined;
      if (make === undefined) return undefined;
      made = make({ ...parts, require });
      // Its modules need them anyway, and in Node.js they are plain values.
      for (const name of ['URL', 'URLSearchParams']) void get(globalThis, name);
    }
    return made;
  }

  function environment(): Environment {
    const installed = environmentIfInstalled();
    if (installed !== undefined) return installed;
    throw new Error('The modules and globals of Node.js are not installed on this runner');
  }

  const offered = [
    'assert',
    'assert/strict',
    'buffer',
    'console',
    'constants',
    'crypto',
    'diagnostics_channel',
    'events',
    'http',
    'https',
    'os',
    'path',
    'path/posix',
    'path/win32',
    'process',
    'punycode',
    'querystring',
    'stream',
    'stream/promises',
    'string_decoder',
    'sys',
    'timers',
    'timers/promises',
    'url',
    'util',
    'util/types',
    'zlib',
    '_http_agent',
    '_http_client',
    '_http_common',
    '_http_incoming',
    '_http_outgoing',
    '_http_server',
    '_stream_duplex',
    '_stream_passthrough',
    '_stream_readable',
    '_stream_transform',
    '_stream_writable',
  ];
  const valueOf = (module: string, name: string): unknown => {
    if (module === 'process') return environment().process;
    const exports = environment().load(module);
    return name === '' ? exports : exports[name];
  };

  function lazyGlobal(name: string, module: string, member: string, enumerable: boolean): void {
    const define = (value: unknown) =>
      defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable });
    const get = () => {
      const value = valueOf(module, member);
      define(value);
      return value;
    };
    defineProperty(globalThis, name, { get, set: define, configurable: true, enumerable });
  }

  /** These two are accessors in Node.js itself. */
  function accessor(name: string, module: string, member: string): void {
    let held: { value: unknown } | undefined;
    const get = () => (held ??= { value: valueOf(module, member) }).value;
    const set = (value: unknown) => {
      held = { value };
    };
    defineProperty(globalThis, name, { get, set, configurable: true, enumerable: false });
  }

  for (const name of [
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
  ])
    lazyGlobal(name, 'timers', name, true);
  for (const name of ['atob', 'btoa']) lazyGlobal(name, 'buffer', name, false);
  lazyGlobal('performance', 'perf_hooks', 'performance', true);
  lazyGlobal('queueMicrotask', 'internal/process/task_queues', 'queueMicrotask', true);
  for (const name of ['URL', 'URLSearchParams']) lazyGlobal(name, 'internal/url', name, false);
  for (const name of ['TextEncoder', 'TextDecoder']) lazyGlobal(name, 'internal/encoding', name, false);
  for (const name of ['AbortController', 'AbortSignal'])
    lazyGlobal(name, 'internal/abort_controller', name, false);
  for (const name of ['MessageChannel', 'MessagePort', 'MessageEvent'])
    lazyGlobal(name, 'internal/worker/io', name, false);
  for (const name of ['EventTarget', 'Event']) lazyGlobal(name, 'internal/event_target', name, false);
  accessor('Buffer', 'buffer', 'Buffer');
  accessor('process', 'process', '');
  lazyGlobal('console', 'internal/console/global', '', false);

  function require(name: unknown): unknown {
    if (typeof name !== 'string' || name === '') {
      const error = new TypeError('The "id" argument must be a non-empty string.');
      throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
    }
    const bare = apply(startsWith, name, ['node:']) ? apply(slice, name, [5]) : name;
    if (bare === 'console') return valueOf('internal/console/global', '');
    if (apply(includes, offered, [bare])) return valueOf(bare, '');
    if (hasOwn(own, name)) return own[name]!();
    const { find, names } = environment().packages;
    const found = find(name);
    if (found !== undefined) return found.exports;
    const modules = offered.filter((one) => one[0] !== '_').join(', ');
    const packages = names().join(', ') || 'none, since they are not installed on this runner';
    const error = new Error(
      `Cannot find module '${name}'. There are: ${modules}; and the packages: ${packages}.`,
    );
    throw Object.assign(error, { code: 'MODULE_NOT_FOUND' });
  }

  const resolve = (name: unknown) => {
    require(name);
    return name;
  };
  Object.assign(require, { resolve, main: undefined, extensions: {}, cache: {} });

  return {
    require,
    prepare(names) {
      if (environmentIfInstalled() === undefined) return;
      for (const name of names) require(name);
      made?.drain();
    },
    afterTurn() {
      made?.drain();
    },
    runDue() {
      made?.runDue();
    },
    begin() {
      if (hasEnded) made?.clear();
      hasEnded = false;
    },
    end() {
      hasEnded = true;
      made?.end();
    },
  };
}
