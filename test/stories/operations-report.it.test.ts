import { setTimeout as pause } from 'node:timers/promises';

import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

describe('the operations report', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  const path = '/tenants/self/reports/operations';
  const report = async (key: string): Promise<Json> => {
    const { status, json, text } = await api.send('GET', path, { key });
    expect(status, text).to.equal(200);
    return json;
  };

  it('counts what a tenant did with tokens, proxies and everything else, and only that tenant', async () => {
    const tenant = await anotherTenant(system, 'counted');
    const other = await anotherTenant(system, 'counts nothing');
    const key = tenant.management_api_key;
    const manage = async (at: string, body: object) => (await api.send('POST', at, { key, body })).json;
    const permissions = ['token:create', 'token:read', 'token:use'];
    const rules = [{ priority: 1, container: '/', transform: 'reveal', permissions }];
    const own = (await manage('/applications', { name: 'own', type: 'private', rules })).key;
    const proxy = await manage('/proxies', { name: 'p', destination_url: destination.url });
    const body = { type: 'token', data: 'counted' };
    const { id } = (await api.send('POST', '/tokens', { key: own, body })).json;
    await api.send('POST', '/tokens', { key: own, body });
    await api.send('GET', `/tokens/${id}`, { key: own });
    for (const value of [1, 2, 3]) {
      const sent = { key: own, body: { value, token: `{{ ${id} }}` } };
      expect((await api.invoke(proxy.key, 'POST', '/', sent)).status).to.equal(200);
    }
    expect((await api.send('DELETE', `/tokens/${id}`, { key: own })).status).to.equal(403);
    const { months, total_operations } = await report(key);
    const now = new Date();
    expect(months).to.deep.equal([
      {
        year: now.getUTCFullYear(),
        month: now.getUTCMonth() + 1,
        total_operations: 10,
        operations: [
          { entity_type: 'application', operation: 'create', count: 2 },
          { entity_type: 'proxy', operation: 'create', count: 1 },
          { entity_type: 'tenant', operation: 'create', count: 1 },
          { entity_type: 'token', operation: 'create', count: 2 },
          { entity_type: 'token', operation: 'read', count: 1 },
          { entity_type: 'token', operation: 'use', purpose: 'proxy', count: 3 },
        ],
      },
    ]);
    expect(total_operations).to.equal(10);
    const logged = async (outcome: string) =>
      (await api.send('GET', `/logs?outcome=${outcome}`, { key })).json.pagination.total_items;
    expect(await logged('allowed')).to.equal(total_operations);
    expect(await logged('denied')).to.equal(1);
    const elsewhere = (await report(other.management_api_key)).months[0].operations;
    // Gateways report every ten seconds: creates, a read, three uses, and one that was refused.
    const traffic = async (from: string) =>
      (await api.send('GET', '/tenants/self/reports/traffic?period=hour', { key: from })).json.totals;
    const isReported = async () => {
      await pause(500);
      return (await traffic(key)).requests === 7;
    };
    await until('the traffic is reported', isReported, 60_000);
    expect(await traffic(key)).to.include({ requests: 7, errors: 0, refused: 1, killed: 0, leaks: 0 });
    expect(await traffic(other.management_api_key)).to.include({ requests: 0 });
    expect(elsewhere.map((one: Json) => one.entity_type)).to.deep.equal(['application', 'tenant']);
  });

  it('is for who may read reports', async () => {
    expect((await api.send('GET', path)).status).to.equal(401);
    expect((await api.send('GET', path, { key: system.dev.private_api_key })).status).to.equal(403);
    const blind = { name: 'blind', type: 'management', permissions: ['log:read', 'tenant:read'] };
    const { key } = await api.application(blind);
    expect((await api.send('GET', path, { key })).status).to.equal(403);
  });
});
