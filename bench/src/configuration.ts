import { readRunning } from '@glovebox/local/run-journal';
import { redisNames } from '@glovebox/published/keys';
import { Redis } from 'ioredis';

import { apiOf } from '../../test/harness/api.ts';
import { startDestination } from '../../test/harness/destination.ts';
import { type System, startSystem } from '../../test/harness/system.ts';
import { until } from '../../test/harness/until.ts';
import { manyProxies } from './configuration/many-proxies.ts';
import { type KnownProxy, steadyRequests } from './configuration/steady-requests.ts';
import { untilCalm } from './configuration/until-calm.ts';
import { writesPerSecond } from './configuration/writes-per-second.ts';
import { type Cores, allCores } from './measure/cores.ts';
import { forgetPeak, peakBytes, residentBytes } from './measure/resident-memory.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';
import { type GatewayProcess, startGateway } from './proxy/gateways.ts';

const known = 40;
const updates = 200;
/** Goals of a configuration of 200,000 proxies. */
const goals = { rebuildSeconds: 30, updateP99Ms: 50 };
const megabyte = 1024 * 1024;

/**
 * How publication behaves with many proxies (`-- configuration 200000`): the rebuild of an empty Redis while requests go on,
 * updates until every gateway acts on them, writes per second, and what a gateway needs to start.
 */
export async function run(): Promise<void> {
  const count = Number(process.argv[3] ?? 200_000);
  const cores = allCores();
  await using system = await startSystem();
  await using destination = await startDestination();
  destination.answer = ({ url }, response) => response.end(`${url}.`);
  await using second = await startGateway(system, cores, 'gateway-second');
  const proxies = await knownProxies(system, destination.url);
  const gateways = [system.dev.service_urls['proxy-gateway'] ?? '', `http://127.0.0.1:${second.port}`];
  const pidOf = (name: string) => system.dev.processes.find((one) => one.name === name)?.pid ?? 0;
  const control = pidOf('control-api');
  await manyProxies(system, count);
  console.log(`  ${count} proxies are in the database`);

  await askForAll(gateways, proxies, system.dev.private_api_key);
  const requests = steadyRequests(gateways, system.dev.private_api_key, proxies);
  forgetPeak(control);
  const rebuiltSeconds = await rebuild(system);
  const during = await requests.end();
  console.log(
    `  rebuilt in ${rebuiltSeconds.toFixed(1)} s; ${during.failed} of ${during.sent} requests failed`,
  );
  const controlPeak = peakBytes(control) / megabyte;

  // Each reader verifies and keeps all that was published anew, in the background, which takes longer than the rebuild.
  const readers = ['proxy-gateway', 'token-vault', 'reactor-runner'].map(pidOf);
  const calmSeconds = await untilCalm([...readers, second.pid]);
  const updated = await updateAll(system, gateways, proxies, destination.url);
  const writes = await writesPerSecond(system, proxies, destination.url);
  const started = await startOneMore(system, cores);
  const rows = [
    ['proxies', String(count), ''],
    [
      'rebuild of an empty Redis, s',
      rebuiltSeconds.toFixed(1),
      verdict(rebuiltSeconds <= goals.rebuildSeconds, `<= ${goals.rebuildSeconds}`),
    ],
    ['  requests meanwhile, failed', `${during.sent}, ${during.failed}`, verdict(during.failed === 0, '0')],
    ['  most memory of control-api, MB', controlPeak.toFixed(0), ''],
    ['then, until all readers have kept it, s', calmSeconds.toFixed(0), ''],
    ['PUT answered until all gateways act, p50 ms', at(updated, 0.5).toFixed(1), ''],
    [
      '  p99 ms',
      at(updated, 0.99).toFixed(1),
      verdict(at(updated, 0.99) <= goals.updateP99Ms, `<= ${goals.updateP99Ms}`),
    ],
    ['configuration writes per second, 20 at once', writes.perSecond.toFixed(0), ''],
    ['  CPU of control-api for each, ms', (writes.controlUs / 1000).toFixed(1), ''],
    ['a gateway starts, ms until it is ready', started.readyMs.toFixed(0), ''],
    ['  its memory then, MB', started.megabytes.toFixed(0), ''],
  ];
  reportResults('configuration', [table(['configuration that grows', '', ''], rows)], {
    count,
    rebuiltSeconds,
    during,
    controlPeak,
    calmSeconds,
    updated,
    writes,
    started,
  });
}

async function knownProxies(system: System, destinationUrl: string): Promise<KnownProxy[]> {
  const api = apiOf(system);
  const proxies: KnownProxy[] = [];
  for (let at = 0; at < known; at += 1) {
    const { id, key } = await api.proxy(`${destinationUrl}/0`);
    proxies.push({ id: String(id), key: String(key) });
  }
  return proxies;
}

const verdict = (isReached: boolean, goal: string) => (isReached ? 'reached' : `MISSED (${goal})`);

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** Gateways serve what they know while Redis is empty: each gets to know each proxy. */
async function askForAll(
  gateways: readonly string[],
  proxies: readonly KnownProxy[],
  apiKey: string,
): Promise<void> {
  for (const gateway of gateways) {
    for (const { key } of proxies) {
      await fetch(`${gateway}/proxy`, { headers: { 'SVC-API-KEY': apiKey, 'SVC-PROXY-KEY': key } });
    }
  }
}

/** Empties Redis, as a lost server does. @returns seconds until the marker says that everything is there */
async function rebuild({ stateDir }: System): Promise<number> {
  const { redisUrl = '', redisPrefix = '' } = readRunning(stateDir)?.system ?? {};
  const redis = new Redis(redisUrl);
  try {
    const since = performance.now();
    await redis.flushall();
    const { marker } = redisNames(redisPrefix);
    await until('the projection is whole', async () => (await redis.get(marker)) !== null, 300_000);
    return (performance.now() - since) / 1000;
  } finally {
    redis.disconnect();
  }
}

/** Milliseconds from the answer to each update until the last gateway sends to where it says. */
async function updateAll(
  system: System,
  gateways: readonly string[],
  proxies: readonly KnownProxy[],
  destinationUrl: string,
): Promise<number[]> {
  const api = apiOf(system);
  const took: number[] = [];
  const acts = async (gateway: string, proxy: KnownProxy, path: string, since: number): Promise<number> => {
    for (;;) {
      const headers = { 'SVC-API-KEY': system.dev.private_api_key, 'SVC-PROXY-KEY': proxy.key };
      const startedAt = performance.now();
      const answer = await fetch(`${gateway}/proxy`, { headers });
      if ((await answer.text()).includes(path)) return Math.max(0, startedAt - since);
    }
  };
  for (let update = 1; update <= updates; update += 1) {
    const proxy = proxies[update % proxies.length]!;
    const path = `/update-${update}.`;
    const body = { name: 'story', destination_url: `${destinationUrl}${path}` };
    const answer = await api.manage('PUT', `/proxies/${proxy.id}`, body);
    if (answer.status !== 200) throw new Error(`an update was answered with ${answer.status}`);
    const since = performance.now();
    took.push(Math.max(...(await Promise.all(gateways.map((one) => acts(one, proxy, path, since))))));
  }
  return took;
}

async function startOneMore(system: System, cores: Cores): Promise<{ readyMs: number; megabytes: number }> {
  const since = performance.now();
  await using gateway: GatewayProcess = await startGateway(system, cores, 'gateway-late');
  return { readyMs: performance.now() - since, megabytes: residentBytes(gateway.pid) / megabyte };
}
