import { makeDescribe } from './make-describe.ts';
import { makeEntry } from './make-entry.ts';
import { makeRequire } from './make-require.ts';
import { makeSettlement } from './make-settlement.ts';
import { makeTimers } from './make-timers.ts';
import { settledAs } from './settled-as.ts';
import { tidyWorld } from './tidy-world.ts';

const maxErrorLength = 4000;

/**
 * What runs in an isolate before any user code does, as the body of a function whose `$0` arms the worker's timer;
 * it returns an IsolateEntry. Its parts are handed over as their own source text, so they use nothing but their
 * parameters and the language. User code reaches none of their variables.
 */
export function preludeSource(maxResultLength: number, userFile: string): string {
  const call = (part: (...args: never[]) => unknown, args = '') => `(${part.toString()})(${args})`;
  return `
    'use strict';
    ${call(tidyWorld)};
    const settledAs = ${JSON.stringify(settledAs)};
    const timers = ${call(makeTimers, '$0')};
    const describe = ${call(makeDescribe, `${maxErrorLength}`)};
    const settlement = ${call(
      makeSettlement,
      `{ describe, onSettled: timers.clear, settledAs, maxResultLength: ${maxResultLength} }`,
    )};
    const require = ${call(makeRequire)};
    return ${call(makeEntry, `{ settlement, timers, require, settledAs, userFile: ${JSON.stringify(userFile)} }`)};
  `;
}
