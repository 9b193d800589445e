import type { UserProcess } from '../node-internals.ts';
import type { Scope } from '../scope.ts';
import type { TickQueue } from './tick-queue.ts';

/** The version whose behaviour user code is promised. */
export function fillProcess({ call, jobs, load, process }: Scope, ticks: TickQueue): void {
  const { EventEmitter } = load('events');
  const constructor = function process() {};
  const prototype: object = Object.create(EventEmitter.prototype, {
    constructor: { value: constructor, writable: true, configurable: true },
  });
  constructor.prototype = prototype;
  Object.setPrototypeOf(process, prototype);
  Reflect.apply(EventEmitter, process, []);
  Object.defineProperty(process, Symbol.toStringTag, {
    value: 'process',
    writable: true,
    configurable: false,
  });
  const { versions } = process;
  for (const name of Object.keys(versions)) Object.defineProperty(versions, name, { writable: false });
  const startedAt = Date.now();
  /** As `os.userInfo()` has it. */
  const user = () => 1000;
  const perThread = load('internal/process/per_thread');
  const methods = perThread.wrapProcessMethods(processMethodsBinding(startedAt));
  Object.assign(process, {
    title: 'node',
    release: { name: 'node', lts: 'Gallium' },
    argv: ['/usr/bin/node', '/main.js'],
    execArgv: [],
    env: makeEnv(load),
    pid: 1,
    ppid: 0,
    execPath: '/usr/bin/node',
    debugPort: 9229,
    argv0: 'node',
    exitCode: undefined,
    features: {
      inspector: false,
      debug: false,
      uv: true,
      ipv6: true,
      tls_alpn: true,
      tls_sni: true,
      tls_ocsp: true,
      tls: true,
      cached_builtins: true,
    },
    config: {
      target_defaults: {},
      variables: { node_module_version: 93, napi_build_version: '8', openssl_quic: true },
    },
    domain: null,
    _exiting: false,
    nextTick: ticks.nextTick,
    emitWarning: load('internal/process/warning').emitWarning,
    cwd: () => '/',
    getuid: user,
    geteuid: user,
    getgid: user,
    getegid: user,
    getgroups: () => [user()],
    chdir() {
      throw new Error('process.chdir() is not supported here');
    },
    umask: makeUmask(load),
    setSourceMapsEnabled(on: unknown) {
      load('internal/validators').validateBoolean(on, 'val');
    },
    uptime: () => (Date.now() - startedAt) / 1000,
    assert: perThread.assert,
    hrtime: Object.assign(perThread.hrtime, { bigint: perThread.hrtimeBigInt }),
    memoryUsage: methods['memoryUsage'],
    cpuUsage: methods['cpuUsage'],
    resourceUsage: methods['resourceUsage'],
    kill: methods['kill'],
    _kill: () => -1,
    exit(code?: number) {
      throw new Error(`process.exit(${code ?? ''}) was called; return from the function instead`);
    },
    abort() {
      throw new Error('process.abort() was called');
    },
    binding() {
      throw new Error('process.binding() is not supported here');
    },
    getActiveResourcesInfo() {
      const { timeoutCount, immediateCount } = load('internal/timers').getTimerCounts();
      return [
        ...jobs.pending(),
        ...Array.from({ length: timeoutCount }, () => 'Timeout'),
        ...Array.from({ length: immediateCount }, () => 'Immediate'),
      ];
    },
  });
  process.on('warning', load('internal/process/warning').onWarning);
  let stdin: unknown;
  const makeStdin = () => {
    const { Readable } = load('stream');
    return Object.assign(Readable.from([]), { fd: 0 });
  };
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    enumerable: true,
    get: () => (stdin ??= makeStdin()),
  });
  for (const [name, level] of [
    ['stdout', 'info'],
    ['stderr', 'error'],
  ] as const) {
    let stream: unknown;
    const make = () => {
      const { Writable } = load('stream');
      const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
        call('console', level, String(chunk));
        done();
      };
      return Object.assign(new Writable({ decodeStrings: false, write }), {
        fd: name === 'stdout' ? 1 : 2,
        _type: 'pipe',
        destroySoon() {},
        destroy() {},
      });
    };
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => (stream ??= make()),
    });
  }
}

/** `process.umask`: a number that is kept, and matters to nothing. */
export function makeUmask(load: Scope['load']): (mask?: unknown) => number {
  let current = 0o22;
  return (mask) => {
    const before = current;
    if (mask !== undefined) {
      current = load('internal/validators').parseFileMode(mask, 'mask') & 0o777;
    }
    return before;
  };
}

/** The `env` of the process: empty, and all that is put there becomes text. */
export function makeEnv(load: Scope['load']): object {
  const owner = 'process';
  const textOf = (value: unknown) => {
    if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    return String(value);
  };
  const env: Record<string, string> = {};
  return new Proxy(env, {
    set(target, name, value) {
      target[textOf(name)] = textOf(value);
      return true;
    },
    defineProperty(target, name, descriptor) {
      const { configurable, writable, enumerable, value, get, set } = descriptor;
      if (
        get !== undefined ||
        set !== undefined ||
        configurable !== true ||
        writable !== true ||
        enumerable !== true
      ) {
        const what =
          get !== undefined || set !== undefined
            ? 'does not accept an accessor(getter/setter) descriptor'
            : 'only accepts a configurable, writable, and enumerable data descriptor';
        throw new (load('internal/errors').codes.ERR_INVALID_OBJECT_DEFINE_PROPERTY)(
          `'${owner}.env' ${what}`,
        );
      }
      return Reflect.defineProperty(target, textOf(name), { ...descriptor, value: textOf(value) });
    },
  });
}

/** `internalBinding('process_methods')`: clocks that start with the isolate, and nothing about the host. */
export function processMethodsBinding(startedAt: number): object {
  const hrtimeBuffer = new ArrayBuffer(12);
  const words = new Uint32Array(hrtimeBuffer);
  const whole = new BigUint64Array(hrtimeBuffer, 0, 1);
  const elapsedMs = () => Date.now() - startedAt;
  return {
    hrtimeBuffer,
    hrtime() {
      const ms = elapsedMs();
      words.set([0, Math.floor(ms / 1000), (ms % 1000) * 1_000_000]);
    },
    hrtimeBigInt() {
      whole[0] = BigInt(elapsedMs()) * 1_000_000n;
    },
    cpuUsage: (into: Float64Array) => void into.fill(elapsedMs() * 1000),
    memoryUsage: (into: Float64Array) => void into.fill(0),
    rss: () => 0,
    resourceUsage: (into: Float64Array) => void into.fill(0),
    _kill: () => -1,
    _debugProcess() {},
    _rawDebug() {},
  };
}

/** The part that the library reads while it is evaluated. */
export function bareProcess(): UserProcess {
  const part: Record<string, unknown> = {
    version: 'v16.20.2',
    versions: {
      node: '16.20.2',
      v8: '9.4.146.26-node.26',
      uv: '1.43.0',
      zlib: '1.2.11',
      brotli: '1.0.9',
      ares: '1.19.1',
      modules: '93',
      nghttp2: '1.47.0',
      napi: '8',
      llhttp: '6.0.11',
      openssl: '1.1.1v+quic',
      cldr: '41.0',
      icu: '71.1',
      tz: '2022f',
      unicode: '14.0',
      ngtcp2: '0.8.1',
      nghttp3: '0.7.0',
    },
    arch: 'x64',
    platform: 'linux',
    env: {},
    emitWarning() {},
    cwd: () => '/',
  };
  // fillProcess adds the rest.
  return part as Record<string, unknown> & UserProcess;
}
