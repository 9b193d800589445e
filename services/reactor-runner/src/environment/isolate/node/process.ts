import type { Scope } from '../scope.ts';
import type { TickQueue } from './tick-queue.ts';

/** The version whose behaviour user code is promised. */
export function fillProcess({ call, jobs, load, process }: Scope, ticks: TickQueue): void {
  const { EventEmitter } = load('events') as unknown as {
    EventEmitter: { prototype: object; call(self: object): void };
  };
  const prototype = Object.create(EventEmitter.prototype, {
    constructor: { value: function process() {}, writable: true, configurable: true },
  }) as object;
  Object.setPrototypeOf(process, prototype);
  Reflect.apply(EventEmitter as unknown as Function, process, []);
  Object.defineProperty(process, Symbol.toStringTag, {
    value: 'process',
    writable: true,
    configurable: false,
  });
  const startedAt = Date.now();
  const nanoseconds = () => BigInt(Math.round((Date.now() - startedAt) * 1e6));
  const memory = () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 });
  const hrtime = (previous?: [number, number]) => {
    if (previous !== undefined) {
      (load('internal/validators')['validateArray'] as (value: unknown, name: string) => void)(
        previous,
        'time',
      );
    }
    const now = Number(nanoseconds()) - (previous === undefined ? 0 : previous[0] * 1e9 + previous[1]);
    return [Math.floor(now / 1e9), ((now % 1e9) + 1e9) % 1e9];
  };
  Object.assign(process, {
    title: 'node',
    release: { name: 'node', lts: 'Gallium' },
    argv: ['/usr/bin/node', '/main.js'],
    execArgv: [],
    env: {},
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
    config: { target_defaults: {}, variables: {} },
    domain: null,
    _exiting: false,
    nextTick: ticks.nextTick,
    emitWarning: load('internal/process/warning')['emitWarning'],
    cwd: () => '/',
    chdir() {
      throw new Error('process.chdir() is not supported here');
    },
    umask: () => 0o22,
    uptime: () => (Date.now() - startedAt) / 1000,
    hrtime: Object.assign(hrtime, { bigint: nanoseconds }),
    memoryUsage: Object.assign(memory, { rss: () => 0 }),
    cpuUsage: () => ({ user: 0, system: 0 }),
    resourceUsage: () => ({}),
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
      const { timeoutCount, immediateCount } = (
        load('internal/timers')['getTimerCounts'] as () => { timeoutCount: number; immediateCount: number }
      )();
      return [
        ...jobs.pending(),
        ...Array.from({ length: timeoutCount }, () => 'Timeout'),
        ...Array.from({ length: immediateCount }, () => 'Immediate'),
      ];
    },
  });
  for (const [name, level] of [
    ['stdout', 'info'],
    ['stderr', 'error'],
  ] as const) {
    let stream: unknown;
    const make = () => {
      const { Writable } = load('stream') as unknown as { Writable: new (options: object) => object };
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

/** The part that the library reads while it is evaluated. */
export function bareProcess(): Record<string, unknown> {
  return {
    version: 'v16.20.2',
    versions: {
      node: '16.20.2',
      v8: '9.4.146.26-node.26',
      uv: '1.43.0',
      zlib: '1.2.11',
      brotli: '1.0.9',
      ares: '1.19.1',
      modules: '93',
      openssl: '1.1.1v+quic',
      unicode: '15.0',
      icu: '72.1',
    },
    arch: 'x64',
    platform: 'linux',
    env: {},
    emitWarning() {},
    cwd: () => '/',
  };
}
