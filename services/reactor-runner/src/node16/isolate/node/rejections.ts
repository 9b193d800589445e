import { hostError } from '../bridge.ts';
import type { ReportedRejection } from '../host-results.ts';
import type { Scope } from '../scope.ts';

export interface Rejections {
  /** Emits `unhandledRejection` for each since the last call. */
  readonly report: (uncaught: (thrown: unknown) => void) => void;
  readonly clear: () => void;
}

/**
 * The engine reports a rejection without a handler to the host only, which gets a copy of its reason. But what
 * is copied of an error is its stack, which is written at that moment by a function in here, unless it has been before: so
 * an error is found again by its stack. That begins with the first listener, so that other code does not pay for it.
 */
export function makeRejections({ call, process }: Scope): Rejections {
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
    const before = Error.prepareStackTrace ?? written;
    Error.prepareStackTrace = (error, sites) => {
      const stack: unknown = apply(before, Error, [error, sites]);
      if (typeof stack === 'string') known = [{ error, stack }, ...known].slice(0, maxKnown);
      return stack;
    };
  }

  function reasonOf(reported: ReportedRejection): unknown {
    if ('value' in reported) return reported.value;
    if ('known' in reported) return known[reported.known]?.error;
    const { name, message } = reported;
    const copy = hostError({ name, message, fields: {} });
    if (copy.name !== name) copy.name = name;
    copy.stack = `${name}: ${message}`;
    return copy;
  }

  function emit(reason: unknown): void {
    const promise = Promise.reject(reason);
    promise.catch(() => {});
    process.emit('unhandledRejection', reason, promise);
  }

  process.on('newListener', (event) => {
    if (event === 'unhandledRejection' && !isWatching) watch();
  });

  return {
    report(uncaught) {
      if (!isWatching) return;
      const stacks = known.map(({ stack }) => stack);
      const reasons = call('rejections', stacks).map(reasonOf);
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
