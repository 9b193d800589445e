import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { anotherTenant } from '../../test/harness/another-tenant.ts';
import { send } from '../../test/harness/api.ts';
import { startSystem } from '../../test/harness/system.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';
import { createBatches } from './neighbours/batches.ts';
import type { Job } from './neighbours/job.ts';
import { startDestination } from './proxy/contenders.ts';

/** What a neighbour may do to another tenant's requests. */
const goals = { median: 1.2, p99: 2 };
const slices = 4;
const sliceMs = 4000;
/** Between two requests of the tenant that is measured: it is no load itself. */
const pauseMs = 5;

interface Slice {
  readonly tookMs: readonly number[];
  readonly failed: number;
}

interface Effect {
  readonly what: string;
  readonly quiet: Slice;
  readonly beside: Slice;
}

/**
 * Measures small requests of one tenant with and without each kind of batch of another, in slices that take turns: only
 * their ratio says something on a machine that others use.
 */
export async function run(): Promise<void> {
  await using system = await startSystem();
  const scratch = mkdtempSync(join(tmpdir(), 'glovebox-neighbours-'));
  try {
    await using destination = await startDestination(scratch, false);
    const destinationUrl = `http://localhost:${destination.port}`;
    const measured = await createTenant(system, destinationUrl);
    const effects: Effect[] = [];
    for (const [what, job] of Object.entries(await createBatches(system, destinationUrl))) {
      if (!new RegExp(process.argv[3] ?? '').test(what)) continue;
      const effect = await measure(what, job, join(scratch, 'job.json'), measured);
      effects.push(effect);
      console.log(`  ${rowOf(effect).join('  ')}`);
    }
    reportResults('neighbours', [table(head, effects.map(rowOf))], { goals, slices, sliceMs, effects });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

type Requests = readonly (() => Promise<boolean>)[];

/** A tenant with a token and a proxy: what its services do all day. */
async function createTenant(
  system: Parameters<typeof anotherTenant>[0],
  destinationUrl: string,
): Promise<Requests> {
  const base = system.dev.base_url;
  const { management_api_key: management } = await anotherTenant(system, 'measured');
  const make = async (path: string, key: string, body: object) => {
    const answer = await send(base, 'POST', path, { key, body });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const permissions = ['token:create', 'token:read', 'token:use'];
  const rules = [{ description: 'all', priority: 1, container: '/', transform: 'reveal', permissions }];
  const { key } = await make('/applications', management, { name: 'measured', type: 'private', rules });
  const { id } = await make('/tokens', key, { type: 'token', data: 'small' });
  const proxy = await make('/proxies', management, { name: 'measured', destination_url: destinationUrl });
  const gateway = system.dev.service_urls['proxy-gateway'] ?? '';
  const body = { value: `{{ ${id} }}` };
  const request = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await send(gateway, 'POST', path, { key, body, headers })).status === 200;
  return [() => request('/proxy', { 'SVC-PROXY-KEY': proxy.key }), () => request('/detokenize', {})];
}

async function measure(what: string, job: Job, file: string, requests: Requests): Promise<Effect> {
  writeFileSync(file, JSON.stringify(job));
  const quiet: Slice[] = [];
  const beside: Slice[] = [];
  await slice(requests);
  for (let count = 0; count < slices; count += 1) {
    quiet.push(await slice(requests));
    beside.push(await besideBatch(file, () => slice(requests)));
    // What the batch still has to do is not counted.
    await setTimeout(500);
  }
  return { what, quiet: joined(quiet), beside: joined(beside) };
}

const joined = (all: readonly Slice[]): Slice => ({
  tookMs: all.flatMap(({ tookMs }) => tookMs),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
});

const callerProgram = fileURLToPath(new URL('neighbours/caller-main.ts', import.meta.url));

/** Runs the task while another process sends the batch. */
async function besideBatch<T>(file: string, task: () => Promise<T>): Promise<T> {
  const caller = spawn(process.execPath, ['--conditions=source', callerProgram, file], { stdio: 'inherit' });
  const exited = once(caller, 'exit');
  try {
    await setTimeout(1000);
    return await task();
  } finally {
    caller.kill('SIGKILL');
    await exited;
  }
}

async function slice(requests: Requests): Promise<Slice> {
  const tookMs: number[] = [];
  let failed = 0;
  const until = performance.now() + sliceMs;
  const caller = async (request: Requests[number]) => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      if (!(await request())) failed += 1;
      tookMs.push(performance.now() - startedAt);
      await setTimeout(pauseMs);
    }
  };
  await Promise.all(requests.map(caller));
  return { tookMs, failed };
}

const head = [
  'beside',
  'requests',
  'failed',
  'median ms',
  'without',
  'ratio',
  'p99 ms',
  'without',
  'ratio',
  'goals',
];

function rowOf({ what, quiet, beside }: Effect): string[] {
  const [median, medianQuiet] = [shareOf(beside, 0.5), shareOf(quiet, 0.5)];
  const [p99, p99Quiet] = [shareOf(beside, 0.99), shareOf(quiet, 0.99)];
  const isReached =
    beside.failed === 0 && median <= goals.median * medianQuiet && p99 <= goals.p99 * p99Quiet;
  return [
    what,
    String(beside.tookMs.length),
    String(beside.failed),
    median.toFixed(1),
    medianQuiet.toFixed(1),
    `${(median / medianQuiet).toFixed(2)}x`,
    p99.toFixed(1),
    p99Quiet.toFixed(1),
    `${(p99 / p99Quiet).toFixed(2)}x`,
    isReached ? 'reached' : 'MISSED',
  ];
}

function shareOf({ tookMs }: Slice, share: number): number {
  const sorted = tookMs.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}
