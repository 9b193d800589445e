import { Agent, request as send } from 'node:http';

import { cpuOf } from '../measure/cpu.ts';
import type { LoadTarget } from '../measure/load.ts';
import { type Spread, spreadOf } from '../measure/median.ts';
import { table } from '../measure/table.ts';
import type { Stage } from './stage.ts';

const starts = 5;
const measured = 1000;
const warming = 50_000;
/** At least: what 1,000 requests take is few ticks of the clock of CPU time. */
const warmMeasured = 10_000;
const atOnce = 16;
/** CPU of the first 1,000 requests, as a multiple of what as many take when they are warm. */
const goal = 1.5;

export interface ColdRequests {
  readonly what: string;
  readonly coldUs: Spread;
  readonly warmUs: Spread;
  readonly ratio: Spread;
}

/** The first requests of gateways that are ready, against those after 50,000. */
export async function measureColdRequests(stage: Stage): Promise<ColdRequests[]> {
  const results: ColdRequests[] = [];
  for (const what of ['no token', '1 token'] as const) {
    const samples: { cold: number; warm: number }[] = [];
    for (let start = 0; start < starts; start += 1) {
      await using gateway = await stage.coldGateway();
      const target = gateway.targets[what];
      const cold = await cpuPerRequest(gateway.pid, target, measured);
      await cpuPerRequest(gateway.pid, target, warming);
      samples.push({ cold, warm: await cpuPerRequest(gateway.pid, target, warmMeasured) });
    }
    results.push({
      what,
      coldUs: spreadOf(samples.map(({ cold }) => cold)),
      warmUs: spreadOf(samples.map(({ warm }) => warm)),
      ratio: spreadOf(samples.map(({ cold, warm }) => cold / warm)),
    });
  }
  return results;
}

export function coldTable(all: readonly ColdRequests[]): string {
  const rows = all.map(({ what, coldUs, warmUs, ratio }) => [
    what,
    coldUs.median.toFixed(0),
    warmUs.median.toFixed(0),
    `${ratio.median.toFixed(2)}x (${ratio.min.toFixed(2)}-${ratio.max.toFixed(2)})`,
    ratio.median <= goal ? 'reached' : `MISSED (<= ${goal}x)`,
  ]);
  return table(
    [`first ${measured} requests of a gateway, CPU us each`, 'cold', 'warm', 'cold / warm', ''],
    rows,
  );
}

/** Microseconds of CPU that each of so many requests takes. */
async function cpuPerRequest(pid: number, target: LoadTarget, requests: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const before = cpuOf([pid]);
  let left = requests;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      await post(agent, target);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  agent.destroy();
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
