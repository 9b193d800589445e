import { randomUUID } from 'node:crypto';

import type { ServiceName } from '@glovebox/local/service-names';
import { getsSecond } from '@glovebox/published/rollout-choice';
import { expect } from 'chai';

import { send } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { findHaproxy } from '../harness/haproxy-program.ts';
import { findPgBouncer } from '../harness/pgbouncer.ts';
import { rolledOutProxy } from '../harness/rolled-out-proxy.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { foundEstate } from '../harness/topology-estate.ts';
import type { End, Instance } from '../harness/topology-instance.ts';
import { type Traffic, trafficOf } from '../harness/topology-traffic.ts';
import { type Topology, drainDelayMs, shutdownTimeoutMs, startTopology } from '../harness/topology.ts';
import { until } from '../harness/until.ts';

/** What tells that an instance was given work. */
const workOf: Readonly<Record<ServiceName, string>> = {
  'token-vault': 'glovebox_vault_calls_total',
  'reactor-runner': 'glovebox_runner_runs_total',
  'control-api': 'glovebox_http_requests_total',
  'proxy-gateway': 'glovebox_http_requests_total',
};

describe('several of each service behind a balancer', function () {
  this.timeout(180_000);
  let topology: Topology;
  let destination: Destination;
  let traffic: Traffic;
  let load: SteadyLoad | undefined;

  before(async function () {
    const haproxy = await findHaproxy();
    if (haproxy === undefined) {
      process.stderr.write('SKIPPED: there is no haproxy, and Debian’s package cannot be fetched\n');
      this.skip();
    }
    destination = await startDestination();
    topology = await startTopology(haproxy, await findPgBouncer());
    traffic = trafficOf(await foundEstate(topology, destination));
    load = new SteadyLoad(traffic, { callers: 6, pauseMs: 50 });
  });
  after(async () => {
    await load?.end();
    await topology?.[Symbol.asyncDispose]();
    await destination?.[Symbol.asyncDispose]();
  });

  const worked = (instance: Instance) => instance.metric(workOf[instance.service]);
  const workedAll = (service: ServiceName) => Promise.all(topology.of[service].map(worked));

  /** Whether each instance of a service has a stream to each vault and runner that it talks to. */
  async function isConnected(): Promise<boolean> {
    const { 'proxy-gateway': gateways, 'reactor-runner': runners } = topology.of;
    const [vaults, runnersSeen] = await Promise.all([
      Promise.all([...gateways, ...runners].map((each) => each.metric('glovebox_vault_servers'))),
      Promise.all(gateways.map((each) => each.metric('glovebox_runner_servers'))),
    ]);
    return vaults.every((count) => count === 2) && runnersSeen.every((count) => count === 2);
  }

  it('share the work evenly', async () => {
    const services = Object.keys(workOf) as ServiceName[];
    const before = await Promise.all(services.map(workedAll));
    const from = load!.sent;
    await until('300 more requests are answered', () => load!.sent >= from + 300, 120_000);
    const after = await Promise.all(services.map(workedAll));
    for (const [index, service] of services.entries()) {
      const done = after[index]!.map((count, at) => count - before[index]![at]!);
      const fair = 1 / done.length;
      // Asynchronous runs are not spread by who calls: they go to the runner that asks first.
      const play = service === 'reactor-runner' ? 0.5 : 0.3;
      const all = done.reduce((sum, count) => sum + count);
      for (const count of done)
        expect(count / all, `${service}: ${done.join()}`).to.be.within(fair * (1 - play), fair * (1 + play));
    }
    expect(load!.failures).to.deep.equal([]);
  });

  for (const service of ['proxy-gateway', 'token-vault', 'reactor-runner', 'control-api'] as const) {
    it(`lose no request while each ${service} in turn ends and starts again`, async () => {
      const ends: End[] = [];
      for (const instance of topology.of[service]) {
        ends.push(await instance.stop());
        await instance.start();
        await until('all are connected to it', isConnected, 60_000);
        await until('it is given work', async () => (await worked(instance)) > 0, 60_000);
      }
      for (const { code, signal, tookMs } of ends) {
        expect([code, signal]).to.deep.equal([0, null]);
        // What was under way had an end of its own: nothing was cut off.
        expect(tookMs).to.be.lessThan(drainDelayMs + shutdownTimeoutMs);
      }
      expect(load!.failures).to.deep.equal([]);
    });
  }

  it('keep what was accepted for later when any process ends', async () => {
    await load!.end();
    expect(await traffic.results()).to.deep.equal([]);
  });

  it('give 10,000 customers of a rollout their version, whichever gateway or publisher is killed', async function () {
    this.timeout(600_000);
    const { 'proxy-gateway': gateways, 'control-api': publishers } = topology.of;
    const proxy = await rolledOutProxy(topology, destination.url);
    const customers = Array.from({ length: 10_000 }, (_, n) => `customer ${n}`);
    const secondsOf = (percent: number) => {
      const chosen = { subjectId: proxy.id, version: 2, percent, header: 'x-customer' };
      return new Set(customers.filter((customer) => getsSecond(chosen, customer)));
    };
    const [few, most] = [secondsOf(30), secondsOf(60)];
    const judgedBy = (always: Set<string>, maybe: Set<string>) => (customer: string, version: number) =>
      version === 2 ? maybe.has(customer) : !always.has(customer);
    const says = (isRight: (customer: string, version: number) => boolean) => (of: string, version: number) =>
      isRight(of, version) ? undefined : `got version ${version}`;
    const killEach = async (instances: readonly Instance[], meanwhile: () => Promise<void>) => {
      for (const instance of instances) {
        await instance.kill();
        await meanwhile();
        await instance.start();
        await until('all are connected to it', isConnected, 60_000);
      }
    };
    await proxy.rollOut(30);
    const settles = (seconds: Set<string>) =>
      until('every gateway knows of it', async () => {
        const some = customers.slice(0, 30);
        const { wrong } = await proxy.askWhile(Promise.resolve(), some, says(judgedBy(seconds, seconds)));
        return wrong.length === 0;
      });
    await settles(few);
    const killing = killEach(gateways, async () => undefined);
    // Only what a killed gateway had under way breaks off.
    const asking = customers.slice(0, 2500);
    const whileKilling = await proxy.askWhile(killing, asking, says(judgedBy(few, few)));
    expect(whileKilling.wrong).to.deep.equal([]);
    expect(whileKilling.broken).to.be.below(asking.length / 50);
    expect((100 * few.size) / customers.length).to.be.closeTo(30, 2);
    // The share grows while those are killed that publish it: who has the second version keeps it.
    const growing = killEach(publishers, () => proxy.rollOut(60));
    const some = customers.slice(0, 500);
    const whileGrowing = await proxy.askWhile(growing, some, says(judgedBy(few, most)));
    expect(whileGrowing).to.deep.equal({ wrong: [], broken: 0 });
    await settles(most);
    const after = await proxy.askWhile(Promise.resolve(), some, says(judgedBy(most, most)));
    expect(after).to.deep.equal({ wrong: [], broken: 0 });
  });

  it('answer 503 at worst while the pooler of their databases dies, and keep what they acknowledged', async function () {
    const { pooler, tenant, url } = topology;
    if (pooler === undefined) this.skip();
    const key = tenant.private_api_key;
    const made: string[] = [];
    const create = async () => {
      const answer = await send(url, 'POST', '/tokens', { key, body: { type: 'token', data: 'kept' } });
      expect(answer.status, answer.text).to.be.oneOf([201, 503]);
      if (answer.status === 201) made.push(answer.json.id);
      return answer.status;
    };
    const burst = () => Promise.all(Array.from({ length: 20 }, create));
    const restarting = pooler.restart();
    await burst();
    await restarting;
    await until('they serve again', async () => (await burst()).every((status) => status === 201), 30_000);
    for (const id of made) expect((await send(url, 'GET', `/tokens/${id}`, { key })).status).to.equal(200);
  });

  it('answer keyed updates that are more at once than the pooler has connections', async function () {
    const { pooler, tenant, url } = topology;
    if (pooler === undefined) this.skip();
    const key = tenant.private_api_key;
    const made = await send(url, 'POST', '/tokens', { key, body: { type: 'token', data: 'kept' } });
    const update = (nth: number) =>
      send(url, 'PATCH', `/tokens/${made.json.id}`, {
        key,
        headers: { 'Content-Type': 'application/merge-patch+json', 'SVC-IDEMPOTENCY-KEY': randomUUID() },
        body: { metadata: { nth: String(nth) } },
      });
    const answers = await Promise.all(Array.from({ length: 24 }, (_, nth) => update(nth)));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
  });

  it('end by themselves when they are asked to, whichever is asked first', async () => {
    const all = Object.values(topology.of).flat();
    const ends = await Promise.all(all.map((instance) => instance.stop()));
    for (const [at, { code, tookMs }] of ends.entries()) {
      expect(code, all[at]!.service).to.equal(0);
      expect(tookMs).to.be.lessThan(drainDelayMs + shutdownTimeoutMs);
    }
  });
});
