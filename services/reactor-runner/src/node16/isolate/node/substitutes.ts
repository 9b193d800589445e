import type { Exports } from '../node-internals.ts';
import type { Scope } from '../scope.ts';
import { blobModule } from './blob.ts';
import type { TickQueue } from './tick-queue.ts';

/** Modules of Node's library that stand for something outside of the isolate, replaced by the little that others need of them. */
export function substituteModules(ticks: TickQueue, load: Scope['load']): Record<string, () => Exports> {
  const nothing = () => {};
  const no = () => false;
  const zero = () => 0;
  return {
    'internal/options': () => ({
      getOptionValue: (name: string) =>
        ({ '--stack-trace-limit': 10, '--max-http-header-size': 16_384 })[name] ??
        (name.startsWith('--no-') ? false : undefined),
      getEmbedderOptions: () => ({}),
      shouldGenesisBeSilent: no,
    }),
    'internal/async_hooks': () => {
      let last = 1;
      return {
        symbols: {
          async_id_symbol: Symbol('asyncId'),
          trigger_async_id_symbol: Symbol('triggerId'),
          owner_symbol: Symbol('owner_symbol'),
        },
        newAsyncId: () => (last += 1),
        getOrSetAsyncId: () => 1,
        getDefaultTriggerAsyncId: zero,
        defaultTriggerAsyncIdScope: (_id: unknown, block: Function, ...args: unknown[]) =>
          Reflect.apply(block, null, args),
        enabledHooksExist: no,
        initHooksExist: no,
        afterHooksExist: no,
        destroyHooksExist: no,
        emitInit: nothing,
        emitBefore: nothing,
        emitAfter: nothing,
        emitDestroy: nothing,
        executionAsyncId: zero,
        triggerAsyncId: zero,
        registerDestroyHook: nothing,
        enableHooks: nothing,
      };
    },
    async_hooks: () => {
      class AsyncResource {
        readonly type: string;
        constructor(type: string) {
          this.type = type;
        }
        runInAsyncScope(run: Function, self: unknown, ...args: unknown[]): unknown {
          return Reflect.apply(run, self, args);
        }
        emitDestroy(): this {
          return this;
        }
        asyncId(): number {
          return 1;
        }
        triggerAsyncId(): number {
          return 1;
        }
        bind(run: Function): Function {
          return run.bind(this);
        }
      }
      return { AsyncResource, executionAsyncId: zero, triggerAsyncId: zero };
    },
    'internal/process/task_queues': () => ({ ...ticks, setupTaskQueue: () => ticks, runNextTicks: nothing }),
    'internal/modules/esm/handle_process_exit': () => ({ handleProcessExit: nothing }),
    perf_hooks: () => ({
      performance: new (load('internal/perf/performance').InternalPerformance)(),
    }),
    'internal/histogram': () => ({ isHistogram: no }),
    'internal/dtrace': () => new Proxy({}, { get: () => nothing }),
    'internal/worker/js_transferable': () => {
      class JSTransferable {}
      const symbols = {
        kClone: Symbol('kClone'),
        kDeserialize: Symbol('kDeserialize'),
        kTransfer: Symbol('kTransfer'),
        kTransferList: Symbol('kTransferList'),
      };
      return { JSTransferable, ...symbols, makeTransferable: (value: unknown) => value, setup: nothing };
    },
    'internal/blob': () => blobModule(load),
    'internal/process/execution': () => ({ tryGetCwd: () => '/' }),
    'internal/tty': () => ({ getColorDepth: () => 1, hasColors: no }),
    'internal/util/colors': () => ({
      blue: '',
      green: '',
      white: '',
      red: '',
      gray: '',
      clear: '',
      hasColors: false,
      refresh: nothing,
      shouldColorize: no,
    }),
    'internal/bootstrap/loaders': () => ({
      BuiltinModule: { exists: (name: string) => name.startsWith('internal/') },
    }),
    // The library's sockets ask it for constants only.
    dns: () => ({ ADDRCONFIG: 32 }),
    fs: () => ({ openSync: absent, readSync: absent, closeSync: absent }),
    vm: () => ({ runInNewContext: () => () => [], runInContext: absent }),
    v8: () => ({}),
    tty: () => ({ isatty: no }),
  };

  function absent(): never {
    throw new Error('There is no file system here.');
  }
}
