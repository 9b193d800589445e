import { setFlagsFromString } from 'node:v8';

/**
 * After how many calls of a function V8 compiles it with Maglev and with TurboFan, and how many have to pass after they
 * met something new (flag-definitions.h of V8). The defaults are what `node --v8-options` shows.
 */
export const thresholds = [
  { flag: '--invocation-count-for-maglev', default: 400, sooner: 100 },
  { flag: '--invocation-count-for-turbofan', default: 3000, sooner: 1000 },
  { flag: '--minimum-invocations-after-ic-update', default: 500, sooner: 100 },
] as const;

/**
 * V8 compiles functions sooner until it is disposed: a third of the calls are enough then. Later, what it has learnt of
 * few calls would be wrong more often.
 */
export function compileSooner(): Disposable {
  for (const { flag, sooner } of thresholds) setFlagsFromString(`${flag}=${sooner}`);
  return {
    [Symbol.dispose]() {
      for (const { flag, default: usual } of thresholds) setFlagsFromString(`${flag}=${usual}`);
    },
  };
}
