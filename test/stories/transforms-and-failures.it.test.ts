import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

/** A system of its own, since its services are taken away. */
describe('a transform, when what it needs is away', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    system = await startSystem();
    api = apiOf(system);
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());
  after(() => system[Symbol.asyncDispose]());

  const pidOf = (name: string) => system.dev.processes.find((process) => process.name === name)!.pid;
  const proxyWith = (code: string, more: object = {}) =>
    api.proxy(destination.url, { request_transform: { code: `module.exports = ${code}` }, ...more });

  it('fails with 503 when its runner ends under it, forwards nothing, and works again by itself', async () => {
    const slow = await proxyWith('() => new Promise(() => setTimeout(() => {}, 60000))');
    const quick = await proxyWith('({ args }) => args');
    const plain = await api.proxy(destination.url);
    expect((await api.invoke(quick.key, 'POST', '', { body: {} })).status).to.equal(200);
    destination.received.length = 0;
    const pid = pidOf('reactor-runner');
    const waiting = api.invoke(slow.key, 'POST', '', { body: {} });
    let settled = false;
    void waiting.then(() => {
      settled = true;
    });
    expect((await api.invoke(quick.key, 'POST', '', { body: {} })).status).to.equal(200);
    expect(settled).to.equal(false);
    process.kill(pid, 'SIGKILL');
    const answer = await waiting;
    expect(answer.status).to.equal(503);
    expect(answer.json.proxy_error).to.include({ status: 503, title: 'Service Unavailable' });
    expect((await api.invoke(plain.key, 'POST', '', { body: {} })).status).to.equal(200);
    expect(destination.received).to.have.length(2);
    await until('transforms run again', async () => {
      const { status } = await api.invoke(quick.key, 'POST', '', { body: {} });
      expect(status).to.be.oneOf([200, 503]);
      return status === 200;
    });
  });

  it('needs the vault for a configuration that it has not used yet, and for none that it has', async () => {
    const code = '({ configuration }) => ({ body: configuration })';
    const used = await proxyWith(code, { configuration: { K: 'used' } });
    const unused = await proxyWith(code, { configuration: { K: 'unused' } });
    const invoke = (key: string) => api.invoke(key, 'POST', '', { body: {} });
    expect((await invoke(used.key)).status).to.equal(200);
    process.kill(pidOf('token-vault'), 'SIGSTOP');
    try {
      expect((await invoke(used.key)).status).to.equal(200);
      const answer = await invoke(unused.key);
      expect(answer.status).to.equal(503);
      expect(answer.json.proxy_error.detail).to.match(/vault/);
      expect(destination.received).to.have.length(2);
    } finally {
      process.kill(pidOf('token-vault'), 'SIGCONT');
    }
    await until('it is opened', async () => (await invoke(unused.key)).status === 200);
    expect(String(destination.received.at(-1)?.body)).to.equal('{"K":"unused"}');
  });
});
