import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { strikeSome } from '../evidence/chaos/campaign.ts';
import { type Answer, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

/** What a key is for: the process that had the answer is gone. */
describe('an idempotency key, when a process is killed', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    system = await startSystem();
    api = apiOf(system);
    destination = await startDestination();
  });
  after(async () => {
    await destination[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
  });

  const pidOf = (name: string) => system.dev.processes.find((one) => one.name === name)?.pid ?? 0;
  const kill = async (name: string) => {
    const pid = pidOf(name);
    process.kill(pid, 'SIGKILL');
    await until(`another ${name} serves`, async () => {
      const answer = await api.send('GET', '/healthz').catch(() => undefined);
      return pidOf(name) !== pid && answer?.status === 200;
    });
  };

  it('between sending and saving: the request is never sent again, and the answer says why', async () => {
    const { key } = await api.proxy(destination.url);
    // The destination has done it, and answers nothing.
    destination.answer = () => undefined;
    const name = randomUUID();
    const invoke = (): Promise<Answer> =>
      api.invoke(key, 'POST', '', { headers: { 'SVC-IDEMPOTENCY-KEY': name }, body: {} });
    const arrived = destination.next();
    const first = invoke().then(
      ({ status }) => status,
      () => undefined,
    );
    await arrived;
    await kill('proxy-gateway');
    expect(await first).to.be.oneOf([undefined, 502, 503]);
    let answer = await invoke();
    await until(
      'the claim counts as lost',
      async () => {
        answer = await invoke();
        return /outcome .* is not known/.test(answer.json.proxy_error.detail);
      },
      30_000,
    );
    expect(answer.status).to.equal(409);
    expect(destination.received).to.have.length(1);
  });

  it('while Redis does not answer: requests with a key are refused, and no others', async () => {
    const { key } = await api.proxy(destination.url);
    destination.answer = (_, response) => response.end('done');
    const invoke = (headers: Record<string, string> = {}) =>
      api.invoke(key, 'POST', '', { headers, body: {} });
    expect((await invoke()).text).to.equal('done');
    const before = destination.received.length;
    const redis = pidOf('redis');
    process.kill(redis, 'SIGSTOP');
    try {
      const refused = await invoke({ 'SVC-IDEMPOTENCY-KEY': 'k' });
      expect([refused.status, refused.json.proxy_error.status]).to.deep.equal([503, 503]);
      expect(refused.json.proxy_error.detail).to.match(/Nothing was sent/);
      expect((await invoke()).text).to.equal('done');
      expect(destination.received).to.have.length(before + 1);
    } finally {
      process.kill(redis, 'SIGCONT');
    }
    await until('keys are honoured again', async () => {
      const name = randomUUID();
      return (await invoke({ 'SVC-IDEMPOTENCY-KEY': name })).status === 200;
    });
  });

  for (const [service, request] of [
    [
      'control-api',
      { path: '/applications', body: { name: 'made once', type: 'public', permissions: ['token:create'] } },
    ],
    ['token-vault', { path: '/tokens', body: { type: 'token', data: 'made once' } }],
  ] as const) {
    it(`at whatever instant in ${service}: what is retried is made once`, async () => {
      const { management_api_key, private_api_key } = system.dev;
      const key = service === 'control-api' ? management_api_key : private_api_key;
      const count = async () =>
        (await api.send('GET', request.path, { key })).json.pagination.total_items as number;
      const before = await count();
      const names = Array.from({ length: 20 }, () => randomUUID());
      const create = (name: string) =>
        api
          .send('POST', request.path, { key, body: request.body, headers: { 'SVC-IDEMPOTENCY-KEY': name } })
          .catch(() => undefined);
      const [answered] = await Promise.all([Promise.all(names.map(create)), kill(service)]);
      for (const [index, name] of names.entries()) {
        let again = await create(name);
        await until('it is answered', async () => {
          if (again?.status !== 201) again = await create(name);
          expect(again?.status).to.be.oneOf([undefined, 201, 409, 502, 503]);
          return again?.status === 201;
        });
        const first = answered[index];
        if (first?.status === 201) expect(again?.text).to.equal(first.text);
      }
      expect(await count()).to.equal(before + names.length);
    });
  }

  it('loses, doubles and half-publishes nothing else that was acknowledged, and comes back (docs/evidence.md#chaos)', async function () {
    this.timeout(180_000);
    expect(await strikeSome(system)).to.deep.equal([]);
  });
});
