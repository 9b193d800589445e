import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { residentMb } from '../src/worker-process/process-usage.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

/** What holds memory, in MB, at one time. */
export interface Sample {
  readonly second: number;
  /** Of this process, in which the runner is, after a collection of garbage. */
  readonly heap: number;
  readonly resident: number;
  /** By process id. */
  readonly workers: ReadonlyMap<number, number>;
}

export interface SoakReport {
  readonly calls: number;
  /** What should not have happened. */
  readonly surprises: readonly string[];
  readonly samples: readonly Sample[];
}

const bodies = {
  doubles: 'return req.n * 2;',
  waits: 'await new Promise((resolve) => setTimeout(resolve, req.n % 20)); return req.n * 2;',
  derives: `await new Promise((resolve) => require('crypto').pbkdf2('a', 'b', 100, 32, 'sha1', resolve));
    return require('crypto').createHash('sha256').update(String(req.n)).digest().length / 16 * req.n;`,
  packs: `const { gunzipSync, gzip } = require('zlib');
    const packed = await new Promise((resolve) => gzip('x'.repeat(10_000), (_error, bytes) => resolve(bytes)));
    return gunzipSync(packed).length / 5000 * req.n;`,
  leaves:
    'setTimeout(() => {}, 1e6); require("crypto").randomBytes(1e5, () => {}); console.log(req); return req.n * 2;',
  throws: 'if (req.n % 2 === 0) return req.n * 2; throw Object.assign(new Error("expected"), { n: req.n });',
};

const harms = [
  'module.exports = () => { for (;;); };',
  'module.exports = () => new Promise(() => {});',
  'module.exports = () => { const all = []; for (;;) all.push(new Array(1e5).fill(1)); };',
  'module.exports = () => { throw new Proxy({}, {}); };',
  'module.exports = 5;',
  'module.exports = () => JSON.parse("[".repeat(1e7));',
];

const tenants = ['steady-1', 'steady-2'];
/** Then a tenant has a new version of its code. */
const callsPerVersion = 150;

/** Lets tenants of all kinds call for so many seconds; once a second `onSample` gets how much memory there is. */
export async function soak(
  seconds: number,
  onSample: (sample: Sample) => void = () => {},
): Promise<SoakReport> {
  await using runner = await startTestRunner({
    workers: 3,
    limits: { wallMs: 10_000, suspendedPerWorker: 6, runsPerIsolate: 100 },
  });
  const state = { going: true, calls: 0, surprises: [] as string[] };
  const loops = [
    ...tenants.flatMap((tenant) => [0, 1, 2].map(() => steady(runner, tenant, state))),
    rough(runner, state),
  ];
  const samples: Sample[] = [];
  for (let second = 1; second <= seconds; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    samples.push(takeSample(runner, second));
    onSample(samples.at(-1) as Sample);
  }
  state.going = false;
  await Promise.all(loops);
  return { calls: state.calls, surprises: state.surprises, samples };
}

type State = { going: boolean; calls: number; readonly surprises: string[] };

async function steady(runner: TestRunner, tenant: string, state: State): Promise<void> {
  const names = Object.keys(bodies) as (keyof typeof bodies)[];
  for (let n = 0; state.going; n += 1) {
    const name = names[n % names.length] as keyof typeof bodies;
    const version = Math.floor(n / callsPerVersion);
    const code = `module.exports = async (req) => { ${bodies[name]} };//${version}`;
    const isExpected = name === 'throws' && n % 2 === 1;
    const got = await runner.run(code, { n }, { tenant }).catch(({ errors }) => String(errors?.['error']));
    if (isExpected ? !String(got).startsWith('Error: expected') : got !== n * 2)
      state.surprises.push(`${name}: ${String(got)}`);
    state.calls += 1;
  }
}

/** Tenants that come, do harm and are never seen again. */
async function rough(runner: TestRunner, state: State): Promise<void> {
  for (let n = 0; state.going; n += 1) {
    const code = harms[n % harms.length] ?? '';
    await runner.run(code, {}, { tenant: `rough-${n}`, timeoutMs: 500 }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function takeSample(runner: TestRunner, second: number): Sample {
  // What the test itself keeps of the log is no leak.
  runner.log.length = 0;
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  const workers = new Map(runner.workers().map((pid) => [pid, residentMb(pid) ?? 0]));
  return { second, heap: heapUsed / 2 ** 20, resident: rss / 2 ** 20, workers };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** How much more there is in the last third than in the second, each by its median: the first is to get warm. */
export function growthOf(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  return median(values.slice(-third)) - median(values.slice(third, 2 * third));
}

/** The memory of those workers that have been there since the first third. */
export function lastingWorkers(samples: readonly Sample[]): number[][] {
  const late = samples.slice(Math.floor(samples.length / 3));
  const pids = [...(late[0]?.workers.keys() ?? [])];
  return pids
    .filter((pid) => late.every(({ workers }) => workers.has(pid)))
    .map((pid) => samples.map(({ workers }) => workers.get(pid) ?? 0));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
