import type { Scope } from '../scope.ts';

/**
 * Modules that user code is not offered. Packages ask for them when they are loaded, and most never use them: a call of
 * anything in one throws.
 */
export function makeStandIns({ load }: Scope): (name: string) => unknown {
  const made = new Map<string, unknown>();
  const own: Record<string, () => Record<string, unknown>> = {
    async_hooks: () => load('async_hooks'),
    fs: () => ({ existsSync: () => false }),
    net: () => load('net/packages'),
    tls: () => load('tls'),
    module: () => ({ createRequire: () => refusal('module', 'require') }),
    perf_hooks: () => load('perf_hooks'),
    tty: () => ({ isatty: () => false }),
  };
  const names = new Set([
    'async_hooks',
    'child_process',
    'cluster',
    'dgram',
    'dns',
    'dns/promises',
    'domain',
    'fs',
    'fs/promises',
    'http2',
    'inspector',
    'module',
    'net',
    'perf_hooks',
    'readline',
    'tls',
    'tty',
    'v8',
    'vm',
    'worker_threads',
  ]);

  function refusal(module: string, member: string): object {
    const path = `${module}.${member}`;
    const refuse = () => {
      const error = new Error(`${path} is not there: user code has no ${module}`);
      throw Object.assign(error, { code: module.startsWith('fs') ? 'ENOENT' : 'ERR_METHOD_NOT_IMPLEMENTED' });
    };
    // A package may keep it, look into it, or extend it as a class, as long as it does not call it.
    return new Proxy(function () {}, {
      apply: refuse,
      construct: refuse,
      get: (target, name, receiver) =>
        typeof name === 'symbol' || Reflect.has(target, name)
          ? Reflect.get(target, name, receiver)
          : refusal(path, name),
    });
  }

  return (name) => {
    if (!names.has(name)) return undefined;
    const known = made.get(name);
    if (known !== undefined) return known;
    const standIn = new Proxy(own[name]?.() ?? {}, {
      get: (target, member, receiver) =>
        typeof member === 'symbol' || member === '__esModule' || Reflect.has(target, member)
          ? Reflect.get(target, member, receiver)
          : refusal(name, member),
    });
    made.set(name, standIn);
    return standIn;
  };
}
