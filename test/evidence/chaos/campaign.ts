import { randomBytes } from 'node:crypto';

import { readRunning } from '@glovebox/local/run-journal';

import { apiOf } from '../../harness/api.ts';
import { startDestination } from '../../harness/destination.ts';
import { startOtlpReceiver } from '../../harness/otlp-receiver.ts';
import { type System, startSystem } from '../../harness/system.ts';
import { until } from '../../harness/until.ts';
import { searchEverything } from '../canary/search.ts';
import type { Campaign, Findings } from '../report/campaign.ts';
import { randomOf } from '../report/random.ts';
import { type Fault, allFaults, killing } from './faults.ts';
import { Links } from './links.ts';
import { type Canaries, MixedLoad } from './load.ts';
import { type Verified, verify } from './verify.ts';

const rounds = 3;
const backWithinMs = 10_000;
const led = ['postgres', 'redis', 'token-vault', 'reactor-runner'] as const;

export const chaos: Campaign = {
  name: 'chaos',
  title: 'Chaos',
  guarantee:
    'What was acknowledged is there, whole and once, whatever dies; and the data plane does not need the control plane.',
  method: `Under a load of proxied requests, transforms, new and changed tokens, tokenize, asynchronous reactors, webhooks and changes of proxies, every process is killed and stopped, every link between processes cut, silenced and slowed down, and a third of all processes killed at once, in ${rounds} rounds, each in another order. A failure is: an acknowledged write that is not there, a proxy that mixes two versions or is not served, a request that arrived twice, a value found in any store, log or span afterwards, a service that is not back within ${backWithinMs / 1000} s, and a failed request of the data plane while only the control plane is down (but one through a proxy that is changed all the time: if it is changed twice during a request, that is a 503 by ADR 9). Processes start from source here, on the processors that the load uses as well.`,
  async run({ seed, scale, say }) {
    const random = randomOf(seed);
    await using links = await Links.prepare();
    await using receiver = await startOtlpReceiver();
    await using destination = await startDestination();
    await using system = await startSystem({
      env: { ...receiver.env, NODE_OPTIONS: links.nodeOptions, LOG_LEVEL: 'debug' },
    });
    await leadConnections(system, links);
    const canaries = newCanaries();
    const load = await MixedLoad.start(system, destination, canaries);
    const struck: Struck[] = [];
    for (let round = 1; round <= (scale === 'full' ? rounds : 1); round += 1) {
      const faults = allFaults(system, links, random);
      for (const fault of random.sample(faults, scale === 'full' ? faults.length : 3))
        struck.push(await strike(load, fault, say));
    }
    await load.end();
    const verified = await verify(system, load.ledger);
    const searched = await searchEverything(system, [canaries.text, canaries.digits], {
      spans: () => receiver.raw.join('\n'),
    });
    const findings = findingsOf(load, struck, verified);
    const leaked = searched.flatMap(({ found }) => found);
    return {
      ...findings,
      failures: [...findings.failures, ...leaked.map((place) => `plaintext in ${place}`)],
      tables: [
        ...findings.tables,
        {
          title: 'Searched afterwards for everything that was sent in',
          head: ['place', 'files', 'bytes', 'found'],
          rows: searched.map(({ place, files, bytes, found }) => [
            place,
            String(files),
            bytes.toLocaleString('en'),
            String(found.length),
          ]),
        },
      ],
    };
  },
};

/** One fault of a few services under load, on a system that runs; CI has no time for more. */
export async function strikeSome(system: System): Promise<readonly string[]> {
  await using destination = await startDestination();
  const load = await MixedLoad.start(system, destination, newCanaries());
  const faults = [killing(system, ['control-api']), killing(system, ['token-vault', 'reactor-runner'])];
  const struck: Struck[] = [];
  for (const fault of faults) struck.push(await strike(load, fault, () => undefined));
  await load.end();
  return findingsOf(load, struck, await verify(system, load.ledger), Infinity).failures;
}

const newCanaries = (): Canaries => ({
  text: `chaosplaintext${randomBytes(8).toString('hex')}`,
  digits: `4929${String(randomBytes(6).readUIntBE(0, 6)).padStart(8, '7').slice(0, 8)}`,
});

/** Every process has connected before it could be led; it connects again when it is started again. */
async function leadConnections(system: System, links: Links): Promise<void> {
  const ports = readRunning(system.stateDir)?.system?.ports;
  if (ports === undefined) throw new Error('the system is not running');
  await links.lead(Object.fromEntries(led.map((name) => [name, ports[name]])));
  const services = ['token-vault', 'reactor-runner', 'control-api', 'proxy-gateway'];
  for (const name of services) await killing(system, [name]).strike();
  await until(
    'the services run again',
    async () => {
      const isServed = async () =>
        (await apiOf(system).send('GET', '/healthz')).status === 200 &&
        (await apiOf(system).manage('GET', '/tenants/self')).status === 200;
      const running = new Set(system.dev.processes.map(({ name }) => name));
      return services.every((name) => running.has(name)) && (await isServed().catch(() => false));
    },
    60_000,
  );
}

interface Struck {
  readonly fault: Fault;
  readonly backMs: number;
  readonly failed: number;
  readonly failuresOfDataPlane: readonly string[];
}

async function strike(load: MixedLoad, fault: Fault, say: (line: string) => void): Promise<Struck> {
  const before = performance.now();
  await fault.strike();
  const backMs = await load.recovers();
  const failuresOfDataPlane = load.failuresOfDataPlane(before);
  say(
    `  ${fault.name}: back after ${(backMs / 1000).toFixed(1)} s, ${failuresOfDataPlane.length} requests failed`,
  );
  return { fault, backMs, failed: failuresOfDataPlane.length, failuresOfDataPlane };
}

function findingsOf(
  { ledger, outcomes }: MixedLoad,
  struck: readonly Struck[],
  { lost, halfPublished, sentTwice }: Verified,
  within = backWithinMs,
): Findings {
  const slow = struck.filter(({ backMs }) => backMs > within);
  const noticed = struck.filter(({ fault, failed }) => fault.isOfControlPlane && failed > 0);
  const events = [...ledger.events.values()];
  const byFault = [...Map.groupBy(struck, ({ fault }) => fault.name)].map(([name, all]) => ({
    name,
    worst: Math.max(...all.map(({ backMs }) => backMs)) / 1000,
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    times: all.length,
  }));
  const worst = byFault.toSorted((a, b) => b.worst - a.worst);
  return {
    cases: struck.length,
    failures: [
      ...lost.map((what) => `lost: ${what}`),
      ...halfPublished.map((what) => `half-published: ${what}`),
      ...sentTwice.map((what) => `sent twice: ${what}`),
      ...slow.map(({ fault, backMs }) => `${fault.name}: back after ${(backMs / 1000).toFixed(1)} s only`),
      ...noticed.map(
        ({ fault, failuresOfDataPlane: [first] }) => `${fault.name}: the data plane failed: ${first}`,
      ),
    ],
    tables: [
      {
        title: 'What was sent, and what became of it',
        head: ['what', 'count'],
        rows: [
          ['requests', outcomes.length],
          ['of them answered with success', outcomes.filter(({ problem }) => problem === undefined).length],
          ['acknowledged tokens, all read again', ledger.tokens.size],
          ['acknowledged proxies, all read and invoked again', ledger.proxies.length],
          ['accepted asynchronous invocations, all with a result', ledger.accepted.size],
          ['acknowledged writes that were lost', lost.length],
          ['half-published', halfPublished.length],
          ['requests that arrived at their destination', ledger.arrived.size],
          ['of them more than once', sentTwice.length],
          ['events that arrived', events.length],
          ['of them more than once, as the contract allows', events.filter((times) => times > 1).length],
        ].map((row) => row.map((cell) => cell.toLocaleString('en'))),
      },
      {
        title: 'Each fault',
        head: ['fault', 'times', 'back after at most, s', 'requests of the data plane that failed'],
        rows: byFault.map(({ name, times, worst: seconds, failed }) => [
          name,
          String(times),
          seconds.toFixed(1),
          String(failed),
        ]),
      },
    ],
    bars: {
      title: 'Until everything was served again, the slowest of each fault',
      unit: 's',
      limit: backWithinMs / 1000,
      bars: worst
        .slice(0, 24)
        .map(({ name, worst: seconds }) => ({ name: name.slice(0, 44), value: Number(seconds.toFixed(1)) })),
    },
  };
}
