import { setTimeout as pause } from 'node:timers/promises';

import type { Connection } from './connection.ts';

export interface SteadyTraffic {
  /** That have been answered. */
  readonly calls: number;
  /** Ends it; throws what a call failed with, and gives the number of calls and the longest time that one took. */
  stop(): Promise<{ calls: number; slowestMs: number }>;
}

/**
 * Calls of a well-behaved tenant, one after the other, for as long as it takes. Short pauses leave the processors to what
 * the test is about.
 */
export function startSteadyTraffic(connection: Connection, tenant: string): SteadyTraffic {
  const code = `module.exports = async (req) => {
    if (req.n % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 2));
    return { doubled: req.n * 2 };
  };`;
  const state = { going: true };
  let calls = 0;
  let slowestMs = 0;
  const loop = async () => {
    while (state.going) {
      const started = performance.now();
      const result = await connection.run(code, { n: calls }, { tenant });
      if ((result as { doubled: number }).doubled !== calls * 2) throw new Error('a wrong result');
      slowestMs = Math.max(slowestMs, performance.now() - started);
      calls += 1;
      await pause(5);
    }
  };
  const done = loop();
  done.catch(() => {
    state.going = false;
  });
  return {
    get calls() {
      return calls;
    },
    async stop() {
      state.going = false;
      await done;
      return { calls, slowestMs };
    },
  };
}
