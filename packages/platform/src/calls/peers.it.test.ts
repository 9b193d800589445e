import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { expect } from 'chai';

import { Cluster, load, times } from '../../test/call-stream-cluster.ts';
import { outcome, soon, startCallStreamServer } from '../../test/call-stream-echo.ts';
import { until } from '../../test/grpc-echo.ts';
import { mostServers } from '../grpc/client.ts';

const [first, second, third, fourth] = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;

describe('call streams to several servers', () => {
  it('spread the calls evenly, whether many are open or one at a time', async () => {
    await using cluster = await Cluster.start(first, second, third);
    for (const [callers, calls] of [
      [1, 900],
      [3, 900],
      [64, 9000],
      [1000, 9000],
    ] as const) {
      cluster.reset();
      await load(cluster, callers, times(calls));
      const each = Object.values(cluster.counts);
      expect(each.reduce((sum, count) => sum + count, 0)).to.equal(calls);
      for (const count of each) expect(count, `${callers} at once`).to.be.within(calls * 0.3, calls * 0.3667);
    }
    expect(cluster.failures).to.deep.equal([]);
  });

  it('give a slow server fewer calls', async () => {
    await using cluster = await Cluster.start(first, second);
    await cluster.add(third, 50);
    cluster.hosts = [first, second, third];
    await cluster.ready(3);
    cluster.reset();
    await load(cluster, 30, times(3000));
    expect(cluster.counts[third]).to.be.within(1, 900);
  });

  it('follow a server that is added, within seconds', async () => {
    await using cluster = await Cluster.start(first, second, third);
    await cluster.add(fourth);
    const addedAt = Date.now();
    cluster.hosts = [first, second, third, fourth];
    await load(cluster, 8, () => cluster.counts[fourth] === 0);
    expect(Date.now() - addedAt).to.be.lessThan(5000);
    cluster.reset();
    await load(cluster, 64, times(8000));
    for (const count of Object.values(cluster.counts)) expect(count).to.be.within(1800, 2200);
    expect(cluster.failures).to.deep.equal([]);
  });

  it('lose with a server that is killed just the calls that it had, and go on with the others', async () => {
    await using cluster = await Cluster.start(first, second);
    const file = join(import.meta.dirname, '../../test/call-stream-process.ts');
    const child = fork(file, [String(cluster.port), third], { execArgv: ['--conditions=source'] });
    await once(child, 'message');
    cluster.hosts = [first, second, third];
    await cluster.ready(3);

    const stop = new AbortController();
    const going = load(cluster, 60, () => !stop.signal.aborted);
    const total = () => cluster.count(first) + cluster.count(second);
    await until(() => total() > 2000);
    child.kill('SIGKILL');
    await cluster.ready(2);
    const failed = cluster.failures.length;
    const from = total();
    await until(() => total() > from + 5000);
    stop.abort();
    await going;
    // A third of the calls that were open, about.
    expect(failed).to.be.within(1, 60);
    expect(cluster.failures).to.have.lengthOf(failed);
    expect(cluster.failures.every((code) => code === 'unavailable')).to.equal(true);
  });

  it('lose no call with a server that drains, and send it nothing more', async () => {
    await using cluster = await Cluster.start(first, second, third);
    const stop = new AbortController();
    const going = load(cluster, 60, () => !stop.signal.aborted);
    await until(() => cluster.count(third) > 500);
    await cluster.servers[third]?.close();
    await cluster.ready(2);
    const drained = cluster.counts[third];
    cluster.hosts = [first, second];
    const from = cluster.count(first);
    await until(() => cluster.count(first) > from + 2000);
    stop.abort();
    await going;
    expect(cluster.failures).to.deep.equal([]);
    expect(cluster.counts[third]).to.equal(drained);
  });

  it('lose no call with a server whose address is taken away while it serves, and end their stream to it', async () => {
    await using cluster = await Cluster.start(first, second);
    await cluster.add(third, 20);
    cluster.hosts = [first, second, third];
    await cluster.ready(3);
    const stop = new AbortController();
    const going = load(cluster, 60, () => !stop.signal.aborted);
    await until(() => cluster.count(third) > 50);
    cluster.hosts = [first, second];
    await until(() => cluster.servers[third]!.lines.some(({ msg }) => msg === 'call stream closed'));
    stop.abort();
    await going;
    expect(cluster.failures).to.deep.equal([]);
    expect(cluster.client.readyPeers).to.equal(2);
  });

  it('go to a few of many servers, and to others in place of those that cannot be reached', async () => {
    const hosts = Array.from({ length: mostServers + 2 }, (_, at) => `127.0.0.${at + 1}`);
    await using cluster = await Cluster.start(...hosts);
    const called = async () => {
      cluster.reset();
      await load(cluster, 40, times(2000));
      return hosts.filter((host) => cluster.count(host) > 0);
    };
    const before = await called();
    expect(before).to.have.lengthOf(mostServers);
    // The name still has their addresses, as when a part of the network is cut off.
    const lost = before.slice(0, 2);
    for (const host of lost) await cluster.servers[host]?.close();
    await cluster.ready(mostServers - 2);
    while (cluster.client.readyPeers < mostServers) await setTimeout(50);
    expect(await called()).to.have.members(hosts.filter((host) => !lost.includes(host)));
    expect(cluster.failures).to.deep.equal([]);
  });

  it('take a server back that comes again at its address', async () => {
    await using cluster = await Cluster.start(first, second);
    await cluster.servers[second]?.close();
    await cluster.ready(1);
    await cluster.add(second);
    await cluster.ready(2);
    cluster.reset();
    await load(cluster, 10, times(1000));
    expect(cluster.counts[second]).to.be.within(450, 550);
    expect(cluster.failures).to.deep.equal([]);
  });

  it('keep the servers that were known while the name has no address', async () => {
    await using cluster = await Cluster.start(first, second);
    cluster.hosts = [];
    cluster.channel.suspect();
    await setTimeout(300);
    await load(cluster, 10, times(1000));
    expect(cluster.failures).to.deep.equal([]);
    expect(cluster.client.readyPeers).to.equal(2);
  });

  it('cancel a call at the server that has it', async () => {
    await using cluster = await Cluster.start(first);
    const signals: AbortSignal[] = [];
    const never = Promise.withResolvers<void>();
    await using held = await startCallStreamServer(
      (calls) => {
        signals.push(...calls.map(({ signal }) => signal));
        return never.promise;
      },
      { host: second, port: cluster.port },
    );
    cluster.hosts = [first, second];
    await cluster.ready(2);
    const controller = new AbortController();
    const calls = Array.from({ length: 4 }, () =>
      outcome(cluster.client.call({ text: 'x' }, { ...soon(), signal: controller.signal })),
    );
    await until(() => signals.length === 2);
    controller.abort();
    await until(() => signals.every(({ aborted }) => aborted));
    expect((await Promise.all(calls)).filter((result) => result === 'cancelled')).to.have.length.at.least(2);
    never.resolve();
    await held.close();
  });
});
