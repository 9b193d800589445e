import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import type { HostSocket } from './network/tcp.ts';

export type Exports = Record<string, unknown>;

/** A module of Node's own library, by its name there. */
export interface LoadModule {
  <Name extends keyof NodeModules>(name: Name): NodeModules[Name];
  (name: string): Exports;
}

type ErrorClass = new (...args: unknown[]) => Error;

export type ErrorCodes = Readonly<
  Record<
    | 'ERR_BUFFER_OUT_OF_BOUNDS'
    | 'ERR_CRYPTO_INVALID_DIGEST'
    | 'ERR_INVALID_ARG_TYPE'
    | 'ERR_INVALID_OBJECT_DEFINE_PROPERTY'
    | 'ERR_OUT_OF_RANGE',
    ErrorClass
  >
>;

/** What the environment uses of the modules of Node.js 16. */
export interface NodeModules {
  readonly buffer: { readonly Buffer: typeof Buffer };
  readonly events: { readonly EventEmitter: typeof EventEmitter };
  readonly net: NetModule;
  readonly stream: { readonly Readable: typeof Readable; readonly Writable: typeof Writable };
  readonly timers: {
    readonly setImmediate: (run: () => void) => void;
    readonly clearTimeout: (timer: unknown) => void;
    readonly clearImmediate: (timer: unknown) => void;
  };
  readonly 'internal/async_hooks': { readonly symbols: { readonly owner_symbol: symbol } };
  /** `Buffer.prototype` is its prototype too. */
  readonly 'internal/buffer': { readonly FastBuffer: new (buffer: ArrayBufferLike) => Buffer };
  readonly 'internal/console/constructor': { readonly initializeGlobalConsole: (console: object) => void };
  readonly 'internal/errors': { readonly codes: ErrorCodes };
  readonly 'internal/net': { readonly isIP: (text: string) => number; readonly normalizedArgsSymbol: symbol };
  readonly 'internal/per_context/domexception': {
    readonly DOMException: new (message: string, name: string) => Error;
  };
  readonly 'internal/per_context/messageport': { readonly emitMessage: Function };
  readonly 'internal/perf/performance': { readonly InternalPerformance: new () => object };
  readonly 'internal/process/per_thread': {
    readonly assert: Function;
    readonly hrtime: Function;
    readonly hrtimeBigInt: Function;
    readonly wrapProcessMethods: (methods: object) => Record<string, Function>;
  };
  readonly 'internal/process/task_queues': { readonly nextTick: (run: () => void) => void };
  readonly 'internal/process/warning': {
    readonly emitWarning: Function;
    readonly onWarning: (warning: Error) => void;
  };
  readonly 'internal/timers': TimerQueues & {
    readonly getTimerCallbacks: (runNextTicks: () => void) => {
      readonly processImmediate: () => void;
      readonly processTimers: (now: number) => number;
    };
    readonly getTimerCounts: () => { readonly timeoutCount: number; readonly immediateCount: number };
  };
  readonly 'internal/util/inspect': { readonly inspect: (value: object, options: object) => string };
  readonly 'internal/util/types': TypeChecks;
  readonly 'internal/validators': {
    readonly parseFileMode: (mask: unknown, name: string) => number;
    readonly validateBoolean: (value: unknown, name: string) => void;
    readonly validateFunction: (value: unknown, name: string) => void;
  };
}

export interface NetModule {
  readonly Socket: { new (options?: object): NetSocket; readonly prototype: NetSocket };
  readonly Server: { readonly prototype: { listen(): void } };
  readonly _normalizeArgs: (args: unknown[]) => ConnectArguments;
}

export type ConnectArguments = [options: Record<string, unknown>, onConnect: unknown];

/** `net.Socket`, by the names that it has in the library. */
export interface NetSocket {
  _handle: HostSocket | null;
  connecting: boolean;
  connect(...args: unknown[]): NetSocket;
  destroy(error?: Error): void;
  emit(event: string): void;
  once(event: string, listener: unknown): void;
  setTimeout(ms: unknown): void;
  _destroy(error: Error | null, done: (error: Error | null) => void): void;
}

export interface TimerQueues {
  readonly timerListMap: Record<number, TimerList>;
  readonly timerListQueue: { peek(): TimerList | undefined; shift(): TimerList };
  readonly immediateQueue: { readonly head: Immediate | null };
}

interface TimerList {
  readonly msecs: number;
  readonly _idlePrev: object;
}

export interface Immediate {
  _idleNext: Immediate | null;
  _onImmediate: () => void;
}

type Is<Type> = (value: unknown) => value is Type;
type Check = (value: unknown) => boolean;

export interface TypeChecks {
  readonly isArgumentsObject: Check;
  readonly isArrayBuffer: Is<ArrayBuffer>;
  readonly isBoxedPrimitive: Check;
  readonly isDate: Is<Date>;
  readonly isGeneratorObject: Check;
  readonly isMap: Is<Map<unknown, unknown>>;
  readonly isMapIterator: Check;
  readonly isNativeError: Is<Error>;
  readonly isPromise: Check;
  readonly isRegExp: Is<RegExp>;
  readonly isSet: Is<Set<unknown>>;
  readonly isSetIterator: Check;
  readonly isSymbolObject: Check;
  readonly isWeakMap: Check;
  readonly isWeakSet: Check;
}

/** The `process` that user code sees, as far as the environment itself calls it. */
export interface UserProcess extends Pick<EventEmitter, 'emit' | 'listenerCount' | 'on'> {
  readonly versions: object;
  emitWarning(text: string): void;
  hrtime(): [seconds: number, nanoseconds: number];
  uptime(): number;
}
