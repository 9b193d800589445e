import { setTimeout as elapse } from 'node:timers/promises';

import { apiOf } from '../../../test/harness/api.ts';
import type { System } from '../../../test/harness/system.ts';

/** What new versions of code need of the environment. */
const needs: Readonly<Record<string, string>> = {
  'nothing of Node': '',
  'Buffer and crypto': "const { createHash } = require('crypto'); Buffer.from('x'); createHash('sha256');",
  // As code mostly does, each version requires what the one before did.
  'the package axios': "require('axios');",
};

/** Milliseconds at the gateway from a request to its whole answer. */
export interface ColdStarts {
  readonly what: string;
  readonly coldP50Ms: number;
  readonly coldP95Ms: number;
  /** The same request right after. */
  readonly warmP50Ms: number;
}

const versions = 60;
/** After it a worker that has served a new version is idle: it has made its next isolate ready. */
const untilIdleMs = 300;

/** The first request after each change of a proxy's transform, while a worker of its tenant is idle. */
export async function measureColdStarts(system: System, destinationPort: number): Promise<ColdStarts[]> {
  const api = apiOf(system);
  const url = `http://localhost:${destinationPort}`;
  const { id, key } = await api.proxy(url);
  const gateway = system.dev.service_urls['proxy-gateway'] ?? '';
  const headers = {
    'Content-Type': 'application/json',
    'SVC-API-KEY': system.dev.private_api_key,
    'SVC-PROXY-KEY': String(key),
  };
  const timed = async () => {
    const startedAt = performance.now();
    const answer = await fetch(`${gateway}/proxy`, { method: 'POST', headers, body: '{"a":1}' });
    await answer.text();
    if (!answer.ok) throw new Error(`a cold start answered ${answer.status}`);
    return performance.now() - startedAt;
  };
  const results: ColdStarts[] = [];
  for (const [what, head] of Object.entries(needs)) {
    const cold: number[] = [];
    const warm: number[] = [];
    for (let version = 0; version < versions; version += 1) {
      const code = `${head}\n// ${what}, version ${version}\nmodule.exports = async (req) => req.args;`;
      const changed = await api.manage('PUT', `/proxies/${id}`, {
        name: 'cold',
        destination_url: url,
        request_transform: { code },
      });
      if (changed.status !== 200) throw new Error(`the proxy was not changed: ${changed.text}`);
      await elapse(untilIdleMs);
      cold.push(await timed());
      warm.push(await timed());
    }
    results.push({ what, coldP50Ms: at(cold, 0.5), coldP95Ms: at(cold, 0.95), warmP50Ms: at(warm, 0.5) });
  }
  return results;
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
