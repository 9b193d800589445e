import { expect } from 'chai';

import { apiOf, send } from '../harness/api.ts';
import { SeveralVaults } from '../harness/several-vaults.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

const [first, second, third, fourth] = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'] as const;

/** A real gateway and real vaults, over mutual TLS. */
describe('a gateway with several vaults', function () {
  this.timeout(180_000);
  let system: System;
  let vaults: SeveralVaults;
  let path: string;

  before(async () => {
    system = await startSystem({ env: { GLOVEBOX_MTLS: '1' } });
    vaults = new SeveralVaults(system);
    for (const host of [first, second, third]) await vaults.startVault(host);
    vaults.name([first, second, third]);
    await vaults.startGateway();
    path = `/tokens/${await apiOf(system).token({ type: 'token', data: '4242424242424242' })}`;
    await ready(3);
  });
  after(async () => {
    await vaults[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
  });

  const ready = (count: number) =>
    until(`the gateway has ${count} vaults`, async () => (await vaults.vaultsOfGateway()) === count);

  /** Requests by so many callers until there is nothing more to do; what they were answered, by status. */
  async function load(callers: number, more: () => boolean): Promise<Record<number, number>> {
    const answers: Record<number, number> = {};
    const caller = async () => {
      while (more()) {
        const { status } = await send(vaults.gatewayUrl, 'GET', path, { key: system.dev.private_api_key });
        answers[status] = (answers[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return answers;
  }

  const times = (count: number) => {
    let left = count;
    return () => (left -= 1) >= 0;
  };

  /** Load from now until the work is done. */
  async function during(work: () => Promise<void>): Promise<Record<number, number>> {
    let done = false;
    const loaded = load(24, () => !done);
    try {
      await work();
    } finally {
      done = true;
    }
    return await loaded;
  }

  /** The share of so many requests that each vault gets. */
  async function shares(hosts: readonly string[], requests: number): Promise<number[]> {
    const before = await vaults.calls(hosts);
    expect(await load(24, times(requests))).to.deep.equal({ 200: requests });
    return (await vaults.calls(hosts)).map((calls, at) => (calls - before[at]!) / requests);
  }

  it('gives each the same share of the calls', async () => {
    // A vault that is slower for a moment, since other things take the processors, gets fewer.
    const isEven = async () =>
      (await shares([first, second, third], 900)).every((share) => share > 0.28 && share < 0.39);
    await until('each has the same share', isEven);
  });

  it('uses one more within seconds, and loses no request on the way', async () => {
    await vaults.startVault(fourth);
    const answers = await during(async () => {
      vaults.name([first, second, third, fourth]);
      const from = Date.now();
      await ready(4);
      expect(Date.now() - from).to.be.lessThan(8000);
    });
    expect(Object.keys(answers)).to.deep.equal(['200']);
    // The new one has optimized nothing yet, so it gets fewer at first; a busy machine favours one or another.
    const isEven = async () =>
      (await shares([first, second, third, fourth], 800)).every((share) => share > 0.2 && share < 0.3);
    await until('each has the same share', isEven);
  });

  it('loses no request when one is taken away and ends', async () => {
    const answers = await during(async () => {
      vaults.name([first, second, third]);
      await vaults.stop(fourth, 'SIGTERM');
      await ready(3);
    });
    expect(Object.keys(answers)).to.deep.equal(['200']);
  });

  it('loses no request when one ends before its address is gone, as in a rolling restart', async () => {
    const answers = await during(async () => {
      await vaults.stop(third, 'SIGTERM');
      await ready(2);
      await vaults.startVault(third);
      await ready(3);
    });
    expect(Object.keys(answers)).to.deep.equal(['200']);
  });

  it('loses with one that is killed no more than the calls that it had', async () => {
    const answers = await during(async () => {
      await vaults.stop(third, 'SIGKILL');
      await ready(2);
    });
    expect(answers[503] ?? 0).to.be.at.most(24);
    expect(Object.keys(answers).filter((status) => status !== '503')).to.deep.equal(['200']);
    expect(await load(24, times(300))).to.deep.equal({ 200: 300 });
  });
});
