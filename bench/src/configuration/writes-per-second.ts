import { randomUUID } from 'node:crypto';

import type { System } from '../../../test/harness/system.ts';
import { cpuOf } from '../measure/cpu.ts';
import type { KnownProxy } from './steady-requests.ts';

const atOnce = 20;
const seconds = 5;

/** Updates of proxies that are answered each second: each is in the database and published by then. */
export async function writesPerSecond(
  system: System,
  proxies: readonly KnownProxy[],
  destinationUrl: string,
): Promise<{ readonly perSecond: number; readonly controlUs: number }> {
  const headers = { 'Content-Type': 'application/json', 'SVC-API-KEY': system.dev.management_api_key };
  const control = system.dev.processes.find(({ name }) => name === 'control-api')?.pid ?? 0;
  const before = cpuOf([control]);
  let written = 0;
  const until = performance.now() + seconds * 1000;
  const caller = async (first: number) => {
    for (let nth = first; performance.now() < until; nth += 1) {
      const proxy = proxies[nth % proxies.length];
      // Each is a change: an update to what is there already publishes nothing.
      const body = JSON.stringify({ name: 'story', destination_url: `${destinationUrl}/${randomUUID()}` });
      const url = `${system.dev.base_url}/proxies/${proxy?.id}`;
      const answer = await fetch(url, { method: 'PUT', headers, body });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`a write was answered with ${answer.status}`);
      written += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, first) => caller(first)));
  return { perSecond: written / seconds, controlUs: (cpuOf([control]) - before) / written };
}
