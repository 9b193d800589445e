import { mkdtempDisposableSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSystem } from '../../test/harness/system.ts';
import { divideCores } from './measure/cores.ts';
import { cpuOf } from './measure/cpu.ts';
import type { LoadTarget } from './measure/load.ts';
import { type Spread, spreadOf } from './measure/median.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';
import { startDestination } from './proxy/contenders.ts';
import { startGateway } from './proxy/gateways.ts';
import { createGatewayRequests } from './proxy/requests.ts';
import { coldVaults } from './vault/cold-vaults.ts';

const measured = 1000;
/** At least: what 1,000 requests take is few ticks of the clock of CPU time. */
const warmMeasured = 10_000;
const atOnce = 16;
/** CPU of the first 1,000 requests, as a multiple of what as many take when they are warm. */
const goal = 1.5;
/** Of the warm-up: on a busy machine it must not run out of time. */
const variants = { 'warmed up': '120000', 'not warmed up': '0' } as const;

type Environment = Readonly<Record<string, string>>;
type Call = () => Promise<unknown>;

/** A process that has just become ready, and one request to it. */
export interface ColdProcess {
  readonly pid: number;
  readonly call: Call;
  readonly stop: AsyncDisposable;
}

interface ColdRequests {
  readonly what: string;
  readonly readyMs: Spread;
  readonly coldUs: Spread;
  readonly warmUs: Spread;
  readonly ratio: Spread;
}

/**
 * The first requests of gateways that are ready, and the first uses of tokens of vaults, against those after 50,000, with
 * and without a warm-up. Both numbers can be
 * given: how many gateways of each kind are started, and after how many requests they count as warm.
 */
export async function run(): Promise<void> {
  const [starts = 5, warming = 50_000] = process.argv.slice(3).map(Number);
  const cores = divideCores();
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'glovebox-bench-'));
  await using system = await startSystem();
  await using destination = await startDestination(scratch.path, false);
  const requests = await createGatewayRequests(system, destination.port);
  const ofGateway = async (target: (port: number) => LoadTarget, env: Environment) => {
    await using stack = new AsyncDisposableStack();
    const gateway = stack.use(await startGateway(system, cores, 'gateway-cold', env));
    const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
    stack.defer(() => agent.destroy());
    const call = () => post(agent, target(gateway.port));
    return { pid: gateway.pid, call, stop: stack.move() };
  };
  await using vaults = await coldVaults(scratch.path, cores);
  const paths: Readonly<Record<string, (env: Environment) => Promise<ColdProcess>>> = {
    'gateway, no token': (env) => ofGateway((port) => requests.plain(port), env),
    'gateway, 1 token': (env) => ofGateway((port) => requests.oneToken(port), env),
    'vault, 1 token': (env) => vaults.start(env),
  };
  const samples = new Map<string, Sample[]>();
  for (let start = 0; start < starts; start += 1) {
    for (const [path, begin] of Object.entries(paths)) {
      for (const [variant, limitMs] of Object.entries(variants)) {
        const since = performance.now();
        const { pid, call, stop } = await begin({ WARM_UP_MS: limitMs });
        await using _stop = stop;
        const readyMs = performance.now() - since;
        const sample = { readyMs, ...(await measure(pid, call, warming)) };
        const what = `${path}, ${variant}`;
        console.log(`  ${what}:`, sample);
        samples.set(what, [...(samples.get(what) ?? []), sample]);
      }
    }
  }
  const all = [...samples].map(([what, taken]) => spreadsOf(what, taken));
  reportResults('cold', [coldTable(all)], { cores: cores.description, all });
}

interface Sample {
  readonly readyMs: number;
  readonly cold: number;
  readonly warm: number;
}

async function measure(pid: number, call: Call, warming: number): Promise<Pick<Sample, 'cold' | 'warm'>> {
  const cold = await cpuPerRequest(pid, call, measured);
  await cpuPerRequest(pid, call, warming);
  return { cold, warm: await cpuPerRequest(pid, call, warmMeasured) };
}

function spreadsOf(what: string, samples: readonly Sample[]): ColdRequests {
  return {
    what,
    readyMs: spreadOf(samples.map(({ readyMs }) => readyMs)),
    coldUs: spreadOf(samples.map(({ cold }) => cold)),
    warmUs: spreadOf(samples.map(({ warm }) => warm)),
    ratio: spreadOf(samples.map(({ cold, warm }) => cold / warm)),
  };
}

function coldTable(all: readonly ColdRequests[]): string {
  const rows = all.map(({ what, readyMs, coldUs, warmUs, ratio }) => [
    what,
    readyMs.median.toFixed(0),
    coldUs.median.toFixed(0),
    warmUs.median.toFixed(0),
    `${ratio.median.toFixed(2)}x (${ratio.min.toFixed(2)}-${ratio.max.toFixed(2)})`,
    ratio.median <= goal ? 'reached' : `MISSED (<= ${goal}x)`,
  ]);
  const first = `first ${measured} requests of a process, CPU us each`;
  return table([first, 'ready after ms', 'cold', 'warm', 'cold / warm', ''], rows);
}

/** Microseconds of CPU that each of so many requests takes. */
async function cpuPerRequest(pid: number, call: Call, requests: number): Promise<number> {
  const before = cpuOf([pid]);
  let left = requests;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return (cpuOf([pid]) - before) / requests;
}

function post(agent: Agent, { port, path, headers, body }: LoadTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = send({ agent, host: '127.0.0.1', port, path, method: 'POST', headers });
    outgoing.once('error', reject).once('response', (answer) => {
      if (answer.statusCode !== 200)
        reject(new Error(`a cold request was answered with ${answer.statusCode}`));
      answer.resume().once('end', resolve);
    });
    outgoing.end(body);
  });
}
