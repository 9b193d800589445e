import { hostError } from '../bridge.ts';
import type { Scope } from '../scope.ts';

/** A rejection that nobody has handled: what is no object, the place of the error's stack among those known, or its words. */
export type ToldRejection =
  | { readonly value: unknown }
  | { readonly known: number }
  | { readonly name: string; readonly message: string };

export interface Rejections {
  /** Emits `unhandledRejection` for what there was since it was last asked. */
  readonly tell: (uncaught: (thrown: unknown) => void) => void;
  readonly clear: () => void;
}

type PrepareStack = (error: object, sites: unknown[]) => unknown;

/**
 * The engine tells nobody but the host of a rejection without a handler, and the host gets a copy of its reason. But what
 * is copied of an error is its stack, which is written at that moment by a function in here, unless it has been before: so
 * an error is found again by its stack. That begins with the first listener, so that nobody else pays for it.
 */
export function makeRejections({ call, process }: Scope): Rejections {
  const emitter = process as unknown as NodeJS.EventEmitter;
  const { apply } = Reflect;
  const { toString } = Error.prototype;
  const maxKnown = 32;
  let isWatching = false;
  let known: { readonly error: object; readonly stack: string }[] = [];

  function written(error: object, sites: unknown[]): string {
    let text: string;
    try {
      text = apply(toString, error, []);
    } catch {
      text = '<error>';
    }
    return [text, ...sites.map(String)].join('\n    at ');
  }

  function watch(): void {
    isWatching = true;
    call('watchRejections');
    const holder = Error as unknown as { prepareStackTrace?: PrepareStack | undefined };
    const before = holder.prepareStackTrace ?? written;
    holder.prepareStackTrace = (error, sites) => {
      const stack = apply(before, Error, [error, sites]) as unknown;
      if (typeof stack === 'string') known = [{ error, stack }, ...known].slice(0, maxKnown);
      return stack;
    };
  }

  function reasonOf(told: ToldRejection): unknown {
    if ('value' in told) return told.value;
    if ('known' in told) return known[told.known]?.error;
    const { name, message } = told;
    const copy = hostError({ name, message, fields: {} });
    if (copy.name !== name) copy.name = name;
    copy.stack = `${name}: ${message}`;
    return copy;
  }

  function emit(reason: unknown): void {
    const promise = Promise.reject(reason);
    promise.catch(() => {});
    emitter.emit('unhandledRejection', reason, promise);
  }

  emitter.on('newListener', (event) => {
    if (event === 'unhandledRejection' && !isWatching) watch();
  });

  return {
    tell(uncaught) {
      if (!isWatching) return;
      const stacks = known.map(({ stack }) => stack);
      const reasons = (call('rejections', stacks) as ToldRejection[]).map(reasonOf);
      for (const reason of reasons) {
        try {
          emit(reason);
        } catch (thrown) {
          uncaught(thrown);
        }
      }
    },
    clear() {
      known = [];
    },
  };
}
