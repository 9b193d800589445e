import { setTimeout } from 'node:timers/promises';

import { type TestRunner, startTestRunner } from '../../services/reactor-runner/test/runner.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';

/** Of calls of well-behaved code, in each slice. */
const calls = 1000;
const atOnce = 10;
const slices = 3;
/** Callers of the bad code, each of which calls again as soon as it has failed. */
const badCallers = 4;
const goalMs = 1000;

/** Code that a tenant may have beside its other code. Each slice has a text of its own, so that nothing is known of it. */
const bad: Readonly<Record<string, string>> = {
  'an endless loop': 'for (;;);',
  'a flood of memory': 'const m = new Map(); for (let i = 0; ; i++) m.set(i, [i]);',
  'deep recursion': 'const f = () => { for (;;) { try { f(); } catch {} } }; f();',
  'a catastrophic expression': `return /^(a+)+$/.test('a'.repeat(60) + 'b');`,
  'a flood of promises': 'return (async () => { for (;;) await Promise.all([1, 2, 3]); })();',
  'work of the host': `for (;;) require('crypto').pbkdf2Sync('a', 'b', 1e5, 32, 'sha256');`,
};

const good = [0, 1, 2, 3].map(
  (n) => `module.exports = async ({ i }) => {
    if (i % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
    return { good: ${n}, i };
  };`,
);

interface Slice {
  readonly what: string;
  readonly failed: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/**
 * Calls code of one tenant while other code of the same tenant does harm, on a runner with two workers; and for each slice
 * one without harm before it, since only their ratio says something on a machine that others use.
 */
export async function run(): Promise<void> {
  const measured: { readonly quiet: Slice; readonly harmed: Slice }[] = [];
  for (const [what, body] of Object.entries(bad)) {
    await using runner = await startTestRunner({ workers: 2, limits: { wallMs: 30_000 } });
    for (const code of good) await runner.run(code, { i: 1 });
    await setTimeout(2000);
    for (let n = 0; n < slices; n += 1) {
      const quiet = await slice(runner, 'nothing');
      const harmed = await beside(runner, `module.exports = () => { /* ${n} */ ${body} };`, () =>
        slice(runner, what),
      );
      measured.push({ quiet, harmed });
      console.log(
        `  ${what}: ${harmed.failed} failed, p99 ${harmed.p99Ms.toFixed(0)} ms, without ${quiet.p99Ms.toFixed(0)} ms`,
      );
    }
  }
  reportResults('blast', [report(measured)], { calls, atOnce, goalMs, measured });
}

/** Calls bad code over and over while the task goes on. */
async function beside<T>(runner: TestRunner, code: string, task: () => Promise<T>): Promise<T> {
  const state = { isOver: false };
  const over = new AbortController();
  const caller = async () => {
    while (!state.isOver)
      await runner.run(code, {}, { timeoutMs: 30_000, signal: over.signal }).catch(() => undefined);
  };
  const callers = Array.from({ length: badCallers }, caller);
  // It is in the worker before the others.
  await setTimeout(20);
  try {
    return await task();
  } finally {
    state.isOver = true;
    over.abort();
    await Promise.all(callers);
  }
}

async function slice(runner: TestRunner, what: string): Promise<Slice> {
  const took: number[] = [];
  let failed = 0;
  let next = 0;
  const caller = async () => {
    while (next < calls) {
      const i = next;
      next += 1;
      const startedAt = performance.now();
      await runner.run(good[i % good.length] ?? '', { i }, { timeoutMs: 40_000 }).catch(() => (failed += 1));
      took.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { what, failed, medianMs: at(0.5), p99Ms: at(0.99) };
}

function report(measured: readonly { readonly quiet: Slice; readonly harmed: Slice }[]): string {
  const head = [
    `${calls} calls beside`,
    'failed',
    'median ms',
    'p99 ms',
    'p99 without',
    'ratio',
    `p99 <= ${goalMs} ms`,
  ];
  const rows = measured.map(({ quiet, harmed }) => {
    const isReached = harmed.failed === 0 && harmed.p99Ms <= goalMs;
    return [
      harmed.what,
      String(harmed.failed),
      harmed.medianMs.toFixed(1),
      harmed.p99Ms.toFixed(0),
      quiet.p99Ms.toFixed(0),
      `${(harmed.p99Ms / quiet.p99Ms).toFixed(1)}x`,
      isReached ? 'reached' : 'MISSED',
    ];
  });
  return table(head, rows);
}
