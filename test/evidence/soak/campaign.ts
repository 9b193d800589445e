import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { residentBytes } from '../../../bench/src/measure/resident-memory.ts';
import { startDestination } from '../../harness/destination.ts';
import { type System, startSystem } from '../../harness/system.ts';
import { MixedLoad } from '../chaos/load.ts';
import { verify } from '../chaos/verify.ts';
import type { Campaign } from '../report/campaign.ts';
import { startNeighbour } from './neighbour.ts';

const minutes = { sample: 1, full: 30 };
const sampleEveryMs = 5000;
/** What a process may have grown between the second fifth of the time and the last. */
const mayGrow = { share: 0.15, megabytes: 24 };

export const soak: Campaign = {
  name: 'soak',
  title: 'Soak with hostile neighbours',
  guarantee: 'Nothing grows, and nothing that one tenant does reaches another.',
  method: `For ${minutes.full} minutes one tenant sends the load of the chaos campaign, and another one does harm: code that loops, that takes memory and that keeps state, ids of the other's tokens at every door, dead destinations, deep and large bodies. A failure is: a request of the first that is not answered well, a value of its in an answer to the other, an acknowledged write that is not there, and a service whose resident memory is more than ${mayGrow.share * 100} % and ${mayGrow.megabytes} MB larger in the last fifth of the time than in the second.`,
  isOnlyByName: true,
  async run({ scale, say }) {
    await using destination = await startDestination();
    await using system = await startSystem();
    const canaries = { text: `soaktext${randomBytes(8).toString('hex')}`, digits: '491628374650' };
    const load = await MixedLoad.start(system, destination, canaries);
    const neighbour = await startNeighbour(system, Object.values(canaries), load.ledger.counted.id);
    const samples = await watch(system, minutes[scale] * 60_000, say);
    await neighbour.end();
    await load.end();
    const { lost, halfPublished, sentTwice } = await verify(system, load.ledger);
    const bad = load.failuresOfDataPlane(0);
    const grown = [...samples].map(([name, megabytes]) => ({ name, ...growthOf(megabytes) }));
    return {
      cases: load.outcomes.length + neighbour.requests,
      failures: [
        ...bad
          .slice(0, 20)
          .map((problem) => `of ${bad.length} requests that failed beside the neighbour: ${problem}`),
        ...neighbour.told.map((what) => `the neighbour was told: ${what}`),
        ...[...lost, ...halfPublished, ...sentTwice].map((what) => `not as acknowledged: ${what}`),
        ...grown
          // In a minute nothing has settled yet.
          .filter(
            ({ from, to }) =>
              scale === 'full' && to > from * (1 + mayGrow.share) && to > from + mayGrow.megabytes,
          )
          .map(({ name, from, to }) => `${name} grew from ${from.toFixed(0)} to ${to.toFixed(0)} MB`),
      ],
      tables: [
        {
          title: 'Resident memory, medians of a fifth of the time',
          head: ['process', 'second fifth, MB', 'last fifth, MB', 'most, MB'],
          rows: grown.map(({ name, from, to, most }) => [
            name,
            from.toFixed(0),
            to.toFixed(0),
            most.toFixed(0),
          ]),
        },
        {
          title: 'Requests',
          head: ['of', 'sent', 'not answered well'],
          rows: [
            ['the tenant', String(load.outcomes.length), String(bad.length)],
            ['its hostile neighbour', String(neighbour.requests), 'not counted'],
          ],
        },
      ],
      bars: {
        title: 'Resident memory in the last fifth of the time',
        unit: 'MB',
        bars: grown.map(({ name, to }) => ({ name, value: Math.round(to) })),
      },
    };
  },
};

/** Megabytes of each process that lasts, over the time. */
async function watch(
  system: System,
  forMs: number,
  say: (line: string) => void,
): Promise<Map<string, number[]>> {
  const services = system.dev.processes.filter(({ name }) =>
    /^(token-vault|reactor-runner|control-api|proxy-gateway|redis)$/.test(name),
  );
  const samples = new Map<string, number[]>(services.map(({ name }) => [name, []]));
  const until = Date.now() + forMs;
  for (let nth = 0; Date.now() < until; nth += 1) {
    await pause(sampleEveryMs);
    for (const { name, pid } of services) samples.get(name)?.push(residentBytes(pid) / 2 ** 20);
    if (nth % 12 === 11)
      say(`  ${[...samples].map(([name, all]) => `${name} ${(all.at(-1) ?? 0).toFixed(0)}`).join(', ')} MB`);
  }
  return samples;
}

function growthOf(megabytes: readonly number[]): { from: number; to: number; most: number } {
  const fifth = Math.max(1, Math.floor(megabytes.length / 5));
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return {
    from: median(megabytes.slice(fifth, 2 * fifth)),
    to: median(megabytes.slice(-fifth)),
    most: Math.max(...megabytes),
  };
}
