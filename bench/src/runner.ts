import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { childrenOf } from '@glovebox/local/processes';

import { divideCores } from './measure/cores.ts';
import { cpuOf } from './measure/cpu.ts';
import { type Spread, spreadOf } from './measure/median.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';
import { bareCallOf, bareCalls, measureBareCalls } from './runner/bare-calls.ts';
import { type GatewaySide, connectToRunner } from './runner/gateway-side.ts';
import { publishProxies } from './runner/published-proxies.ts';
import { startRunner } from './runner/runner-process.ts';
import { args, transforms } from './runner/transforms.ts';

const rounds = 5;
const seconds = 3;
/** As many as there are at its capacity; fewer make smaller frames, and a frame costs as much as some ten calls. */
const concurrency = 512;
/** G7 of the goals: runs of a warm 1 KB transform per second and core, its timeout armed. */
const goalPerCore = 40_000;
/**
 * The same as a ratio of one run, since machines differ by more than two: 25 us for each run, where the goal was set,
 * against the 11 us of a plain and the 13 us of an async function in isolated-vm alone.
 */
const goalRatios: Readonly<Record<string, number>> = { 'async function': 25 / 13, 'plain function': 25 / 11 };

interface Sample {
  readonly perSecond: number;
  /** Microseconds of CPU per run. */
  readonly runner: number;
  readonly workers: number;
}

/** Measures warm transforms on one core that the runner and its worker process share; the caller is on another. */
export async function run(): Promise<void> {
  const cores = divideCores();
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'glovebox-bench-'));
  await using proxies = await publishProxies(transforms);
  await using runner = await startRunner(scratch.path, cores, proxies);
  await using gateway = connectToRunner(runner.port, runner.token);
  console.log(`${args.length} bytes of args, ${concurrency} runs at once; ${cores.description}`);

  const samples = new Map<string, Sample[]>(Object.keys(transforms).map((name) => [name, []]));
  const bare = new Map<string, number[]>(bareCalls.map(({ name }) => [name, []]));
  for (const name of Object.keys(transforms)) await load(gateway, proxies.keyHashOf(name), 2);
  await runner.settled();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of Object.keys(transforms)) {
      const sample = await measure(gateway, runner.pid, proxies.keyHashOf(name));
      samples.get(name)?.push(sample);
      const { perSecond, runner: own, workers } = sample;
      console.log(`  ${name}: ${perSecond.toFixed(0)}/s, ${(own + workers).toFixed(1)} us`);
    }
    for (const call of bareCalls) {
      const cost = await measureBareCalls(cores, call);
      bare.get(call.name)?.push(cost);
      console.log(`  ${call.name}: ${cost.toFixed(1)} us`);
    }
  }
  const measured = [...samples].map(([name, all]) => {
    return summarize(name, all, bare.get(bareCallOf(name)?.name ?? '') ?? []);
  });
  const alone = [...bare].map(([name, all]) => ({ name, cost: spreadOf(all) }));
  const setting = { cores: cores.description, concurrency, rounds, seconds };
  const bareCosts = alone.map(({ name, cost }) => `${name}: ${cost.median.toFixed(1)} us`).join('\n');
  reportResults('runner', [report(measured), bareCosts], { ...setting, measured, alone });
}

async function measure(gateway: GatewaySide, pid: number, proxyKeyHash: string): Promise<Sample> {
  const workers = childrenOf(pid);
  const before = { runner: cpuOf([pid]), workers: cpuOf(workers) };
  const { runs, took } = await load(gateway, proxyKeyHash, seconds);
  return {
    perSecond: runs / took,
    runner: (cpuOf([pid]) - before.runner) / runs,
    workers: (cpuOf(workers) - before.workers) / runs,
  };
}

async function load(
  gateway: GatewaySide,
  proxyKeyHash: string,
  forSeconds: number,
): Promise<{ runs: number; took: number }> {
  const startedAt = performance.now();
  const endAt = startedAt + forSeconds * 1000;
  let runs = 0;
  const caller = async () => {
    while (performance.now() < endAt) {
      await gateway.call(proxyKeyHash, args);
      runs += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return { runs, took: (performance.now() - startedAt) / 1000 };
}

interface Measured {
  readonly name: string;
  readonly perSecond: Spread;
  readonly runner: Spread;
  readonly workers: Spread;
  /** What runner and worker take together, as a multiple of isolated-vm alone in the same round. */
  readonly ofBare: Spread;
}

function summarize(name: string, all: readonly Sample[], bare: readonly number[]): Measured {
  return {
    name,
    ofBare: spreadOf(
      all.map(({ runner, workers }, round) => (runner + workers) / (bare[round] ?? Number.NaN)),
    ),
    perSecond: spreadOf(all.map(({ perSecond }) => perSecond)),
    runner: spreadOf(all.map(({ runner }) => runner)),
    workers: spreadOf(all.map(({ workers }) => workers)),
  };
}

const verdict = (isReached: boolean) => (isReached ? 'reached' : 'MISSED');

function report(measured: readonly Measured[]): string {
  const head = [
    '1 KB transform, warm',
    'runs/s',
    'CPU us: worker',
    'runner',
    'per core',
    'per worker core',
    'G7 per core',
    'of isolated-vm alone, timeout armed',
    'G7 as a ratio',
  ];
  return table(
    head,
    measured.map(({ name, perSecond, runner, workers, ofBare }) => {
      const goal = goalRatios[name] ?? Number.NaN;
      const perCore = 1e6 / (runner.median + workers.median);
      return [
        name,
        perSecond.median.toFixed(0),
        workers.median.toFixed(1),
        runner.median.toFixed(1),
        perCore.toFixed(0),
        (1e6 / workers.median).toFixed(0),
        `>= ${goalPerCore}: ${verdict(perCore >= goalPerCore)}`,
        `${ofBare.median.toFixed(2)}x (${ofBare.min.toFixed(2)}-${ofBare.max.toFixed(2)})`,
        `<= ${goal.toFixed(2)}x: ${verdict(ofBare.median <= goal)}`,
      ];
    }),
  );
}
