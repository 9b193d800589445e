import { expect } from 'chai';

import { type Answer, apiOf, send } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, startSystem } from '../harness/system.ts';

/** contract/limits.md#rates. */
describe('requests that are too many', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    system = await startSystem({
      env: {
        RATE_LIMIT_WINDOW_MS: '3600000',
        RATE_LIMIT_PER_KEY: '30',
        RATE_LIMIT_PER_TENANT: '80',
        RATE_LIMIT_PER_ANONYMOUS: '10',
        TRUSTED_HOPS: '1',
      },
    });
    api = apiOf(system);
    destination = await startDestination();
  });
  after(async () => {
    await destination[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
  });

  /** The first refusal of many attempts, and how many came through before. */
  const exhaust = async (send: () => Promise<Answer>) => {
    for (let admitted = 0; admitted < 100; admitted += 1) {
      const answer = await send();
      if (answer.status === 429) return { admitted, answer };
    }
    throw new Error('a hundred were admitted');
  };
  const expectRefusal = ({ status, headers, json }: Answer, problem: unknown = json) => {
    expect(status).to.equal(429);
    expect(problem).to.include({ status: 429, title: 'Too Many Requests' });
    expect(Number(headers['retry-after'])).to.be.within(1, 3600);
  };

  it('of one key are refused in both planes separately, and those of other keys are not', async () => {
    const { key: proxyKey } = await api.proxy(destination.url);
    const { key } = await api.application({ name: 'eager', type: 'private', permissions: ['token:use'] });
    const proxied = await exhaust(() => api.invoke(proxyKey, 'GET', '', { key }));
    expect(proxied.admitted).to.equal(30);
    expectRefusal(proxied.answer, proxied.answer.json.proxy_error);
    expect(destination.received).to.have.length(30);
    const tokens = await api.send('GET', '/tokens/none', { key });
    expectRefusal(tokens);

    const managed = await exhaust(() => api.send('GET', '/applications/key', { key }));
    expect(managed.admitted).to.equal(30);
    expectRefusal(managed.answer);
    expect((await api.send('GET', '/tokens', { key: system.dev.private_api_key })).status).to.equal(200);
  });

  it('of one visitor with a public key do not keep out the others', async () => {
    const gateway = system.dev.service_urls['proxy-gateway'];
    const from = (address: string) =>
      send(gateway, 'POST', '/sessions', {
        key: system.dev.public_api_key,
        headers: { 'X-Forwarded-For': address },
      });
    const { admitted } = await exhaust(() => from('203.0.113.9'));
    expect(admitted).to.equal(30);
    expect((await from('203.0.113.10')).status).to.equal(201);
  });

  it('of one address to a proxy without a key are refused, and other addresses are not', async () => {
    const { key: proxyKey } = await api.proxy(destination.url, { require_auth: false });
    const gateway = system.dev.service_urls['proxy-gateway'];
    const from = (address: string) =>
      send(gateway, 'GET', '/proxy', {
        headers: { 'SVC-PROXY-KEY': proxyKey, 'X-Forwarded-For': `1.2.3.4, ${address}` },
      });
    const { admitted, answer } = await exhaust(() => from('203.0.113.7'));
    expect(admitted).to.equal(10);
    expectRefusal(answer, answer.json.proxy_error);
    expect((await from('203.0.113.8')).status).to.equal(200);
  });

  it('of strangers do not use up what the tenant has for its own services', async () => {
    const { key: proxyKey } = await api.proxy(destination.url, { require_auth: false });
    const gateway = system.dev.service_urls['proxy-gateway'];
    let visitor = 0;
    const { admitted } = await exhaust(() => {
      visitor += 1;
      const headers = { 'SVC-PROXY-KEY': proxyKey, 'X-Forwarded-For': `198.51.100.${visitor}` };
      return send(gateway, 'GET', '/proxy', { headers });
    });
    // Some of it was used up before.
    expect(admitted).to.be.within(20, 80);
    expect((await api.send('GET', '/tokens', { key: system.dev.private_api_key })).status).to.equal(200);
  });
});
