import { expect } from 'chai';

import { type TestApi, send, startTestApi } from './harness/api.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';

const windowMs = 60_000;

describe('the rate limits of the management API', () => {
  const limited = async (limits: { perKey?: number; perTenant?: number }): Promise<TestApi> => {
    const config = await newInstallation();
    const rateLimits = { windowMs, perKey: 0, perTenant: 0, ...limits };
    return startTestApi({ sealer: reversingSealer }, { ...config, rateLimits });
  };

  it('hold for a key in all processes together, and tell when to come again', async () => {
    await using one = await limited({ perKey: 10 });
    await using two = await startTestApi({ sealer: reversingSealer }, one.config);
    const key = one.tenant.managementKey;
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const { base } = n % 2 === 0 ? one : two;
      statuses.push((await send(base, key, 'GET /proxies')).status);
    }
    expect(statuses.filter((status) => status === 200)).to.have.length(10);
    const refused = await send(two.base, key, 'GET /proxies');
    expect([refused.status, refused.body.title, refused.body.status]).to.deep.equal([
      429,
      'Too Many Requests',
      429,
    ]);
    expect(refused.headers.get('retry-after')).to.match(/^([1-9]|[1-5]\d|60)$/);
    expect((await one.send('GET /applications/key', { key: one.tenant.privateKey })).status).to.equal(200);
    const metrics = await fetch(`http://127.0.0.1:${two.service.metricsPort}/metrics`);
    expect(await metrics.text()).to.match(/glovebox_rate_limited_total\{limit="key",[^}]*\} [1-9]/);
  });

  it('hold for all keys of a tenant, and for no other tenant', async () => {
    await using api = await limited({ perTenant: 4 });
    const { managementKey, privateKey, publicKey } = api.tenant;
    const statuses: number[] = [];
    for (const key of [managementKey, privateKey, publicKey, managementKey, privateKey]) {
      statuses.push((await api.send('GET /applications/key', { key })).status);
    }
    expect(statuses).to.deep.equal([200, 200, 200, 200, 429]);
    const other = await api.newTenant();
    expect((await api.send('GET /proxies', { key: other.managementKey })).status).to.equal(200);
  });

  it('do not count who has no key', async () => {
    await using api = await limited({ perKey: 1 });
    for (let n = 0; n < 3; n += 1) {
      expect((await api.send('GET /proxies', { key: 'key_nobody' })).status).to.equal(401);
    }
    expect((await api.send('GET /proxies')).status).to.equal(200);
  });
});
