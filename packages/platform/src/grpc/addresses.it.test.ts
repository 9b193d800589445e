import { setTimeout } from 'node:timers/promises';

import { expect } from 'chai';

import { Cluster } from '../../test/call-stream-cluster.ts';
import { EchoService, callerToken, startEcho, until } from '../../test/grpc-echo.ts';
import { AppError } from '../errors/app-error.ts';
import { Secret } from '../values/secret.ts';
import { FollowedAddresses } from './addresses.ts';
import { createGrpcChannel } from './client.ts';
import { unary } from './unary.ts';

/** What is reported, change by change. */
function follow(address: string, answers: () => Promise<readonly string[]>) {
  const reported: (readonly string[])[] = [];
  let lookups = 0;
  const lookup = () => {
    lookups += 1;
    return answers();
  };
  const followed = new FollowedAddresses({
    address,
    lookup,
    refreshMs: 10,
    onChange: (addresses) => reported.push(addresses),
  });
  return { reported, followed, lookups: () => lookups, [Symbol.dispose]: () => followed.close() };
}

describe('the addresses of a service', () => {
  it('are reported at once where they are given, and never looked up', async () => {
    for (const address of ['127.0.0.1:50051', '[::1]:50051', 'unix:/run/x.sock']) {
      using following = follow(address, () => Promise.resolve(['10.0.0.1']));
      expect(following.reported).to.deep.equal([[address]]);
      following.followed.suspect();
      await following.followed.known;
      expect(following.lookups()).to.equal(0);
    }
  });

  it('are reported when they change, whatever their order, each once', async () => {
    let hosts = ['10.0.0.2', '10.0.0.1', 'fd00::1', '10.0.0.2'];
    using following = follow('vault:50051', () => Promise.resolve(hosts));
    await following.followed.known;
    hosts = ['fd00::1', '10.0.0.1', '10.0.0.2'];
    const before = following.lookups();
    await until(() => following.lookups() > before + 2);
    hosts = ['10.0.0.3'];
    await until(() => following.reported.length > 1);
    expect(following.reported).to.deep.equal([
      ['10.0.0.1:50051', '10.0.0.2:50051', '[fd00::1]:50051'],
      ['10.0.0.3:50051'],
    ]);
  });

  it('stay as they were while the name has none or cannot be looked up', async () => {
    const answers = [() => ['10.0.0.1'], () => [], () => expect.fail('ENOTFOUND')];
    using following = follow('vault:50051', async () => answers.shift()?.() ?? []);
    await until(() => following.lookups() > 4);
    expect(following.reported).to.deep.equal([['10.0.0.1:50051']]);
  });

  it('are looked up no more once nobody asks', async () => {
    using following = follow('vault:50051', () => Promise.resolve(['10.0.0.1']));
    await following.followed.known;
    following.followed.close();
    const { length } = following.reported;
    const before = following.lookups();
    following.followed.suspect();
    await setTimeout(50);
    expect([following.reported.length, following.lookups()]).to.deep.equal([length, before]);
  });
});

describe('unary calls to several servers', () => {
  const token = new Secret(callerToken);
  const say = (text: string) => ({
    say: unary(() => Promise.resolve({ text })),
  });
  const soon = () => ({ deadline: Date.now() + 10_000 });

  it('take turns, and a safe one that fails at one goes to another', async () => {
    await using first = await startEcho(say('first'));
    await using second = await startEcho(say('second'), { host: '127.0.0.2', port: first.port });
    let refused = 0;
    const broken = {
      say: unary(() => {
        refused += 1;
        return Promise.reject(new AppError('unavailable', 'no'));
      }),
    };
    await using _third = await startEcho(broken, { host: '127.0.0.3', port: second.port });
    const lookup = () => Promise.resolve(['127.0.0.1', '127.0.0.2', '127.0.0.3']);
    const channel = createGrpcChannel({ address: `echo.test:${first.port}`, token, lookup });
    const counts: Record<string, number> = {};
    for (let call = 0; call < 60; call += 1) {
      const { text } = await channel.unary(EchoService.say, { text: '' }, { ...soon(), safe: true });
      counts[text] = (counts[text] ?? 0) + 1;
    }
    expect(Object.keys(counts).toSorted()).to.deep.equal(['first', 'second']);
    for (const count of Object.values(counts)) expect(count).to.be.at.least(15);
    expect(refused).to.be.at.least(10);
    channel.close();
  });

  it('wait for the name to be known, but not longer than they may', async () => {
    await using server = await startEcho(say('here'));
    const known = Promise.withResolvers<readonly string[]>();
    const channel = createGrpcChannel({
      address: `echo.test:${server.port}`,
      token,
      lookup: () => known.promise,
    });
    const call = (ms: number) =>
      channel.unary(EchoService.say, { text: '' }, { deadline: Date.now() + ms }).then(
        ({ text }) => text,
        ({ code }: AppError) => code,
      );
    expect(await call(100)).to.equal('unavailable');
    expect(await channel.waitForReady(50).then(String, ({ code }: AppError) => code)).to.equal('unavailable');
    const waiting = call(10_000);
    known.resolve(['127.0.0.1']);
    expect(await waiting).to.equal('here');
    expect(channel.isReady()).to.equal(true);
    channel.close();
  });

  it('go on while one server of several is away', async () => {
    await using cluster = await Cluster.start('127.0.0.1', '127.0.0.2');
    await cluster.servers['127.0.0.2']?.close();
    await cluster.ready(1);
    await cluster.channel.waitForReady(5000);
    expect(cluster.channel.isReady()).to.equal(true);
  });
});
