import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';

/** contract/tenants.md#simulation-of-access. */
describe('a simulation of access', () => {
  let api: ReturnType<typeof apiOf>;
  let bound: Destination;
  let other: Destination;
  let application: Json;
  /** A reactor whose code may reach any host. */
  let anywhere: Json;
  const containers = ['/pci/high/', '/pci/low/', '/phi/'];
  const tokens = new Map<string, string>();
  const placeOf = ({ url }: Destination) => new URL(url).host;

  before(async () => {
    api = apiOf(await sharedSystem());
    bound = await startDestination();
    other = await startDestination();
    const rules = [
      { priority: 1, container: '/pci/high/', transform: 'redact', permissions: ['token:read'] },
      {
        description: 'to one host',
        priority: 2,
        container: '/pci/high/',
        transform: 'reveal',
        permissions: ['token:use', 'token:delete'],
        destinations: [placeOf(bound)],
      },
      { priority: 3, container: '/pci/', transform: 'mask', permissions: ['token:read', 'token:use'] },
      { priority: 4, container: '/pci/low/', transform: 'reveal', permissions: ['token:use'] },
    ];
    application = await api.application({ name: 'simulated', type: 'private', rules });
    anywhere = await createReactor(api, 'async () => ({ raw: {} })');
    for (const container of containers)
      tokens.set(
        container,
        await api.token({ type: 'token', data: 'plain', mask: 'masked', containers: [container] }),
      );
  });
  after(async () => {
    await bound[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const simulate = (query: Record<string, string>) =>
    api.manage('GET', `/applications/${application.id}/simulate-access?${new URLSearchParams(query)}`);
  const asked = async (query: Record<string, string>): Promise<Json> => {
    const answer = await simulate(query);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };
  /** What a key of the application meets with. */
  const real: Readonly<Record<string, (container: string) => Promise<{ status: number; shown: string }>>> = {
    'token:read': async (container) => {
      const answer = await api.send('GET', `/tokens/${tokens.get(container)}`, { key: application.key });
      const { data } = answer.json;
      return {
        status: answer.status,
        shown: data === 'masked' ? 'mask' : data === 'plain' ? 'reveal' : 'redact',
      };
    },
    'token:use': async (container) => {
      const body = { args: { pan: `{{ ${tokens.get(container)} }}` } };
      const path = `/reactors/${anywhere.id}/react`;
      const { status } = await api.send('POST', path, { key: application.key, body });
      return { status, shown: 'reveal' };
    },
  };
  const throughProxy = async (container: string, key: string): Promise<number> => {
    const body = { pan: `{{ ${tokens.get(container)} }}` };
    const answer = await api.invoke(key, 'POST', '/', { key: application.key, body });
    return answer.status;
  };

  it('says what really happens, and by which rule', async () => {
    for (const container of containers) {
      for (const [permission, act] of Object.entries(real)) {
        const said = await asked({ permission, container });
        const { status, shown } = await act(container);
        const met = status === 403 ? 'denied' : shown;
        expect(said.decision === 'denied' ? 'denied' : said.transform, `${permission} ${container}`).to.equal(
          met,
        );
      }
    }
    const { rule, rules, decision } = await asked({ permission: 'token:read', container: '/pci/high/' });
    expect([decision, rule]).to.deep.equal(['allowed', { priority: 1 }]);
    expect(rules.map((one: Json) => one.outcome)).to.deep.equal([
      'decides',
      'other_permission',
      'comes_later',
      'other_permission',
    ]);
  });

  it('says it of where a value could get to: a host, or everything that a proxy reaches', async () => {
    const request_transform = { code: 'module.exports = async ({ args }) => args' };
    const proxies = [
      await api.proxy(bound.url),
      await api.proxy(other.url),
      await api.proxy(bound.url, { request_transform }),
      await api.proxy(bound.url, { request_transform, allowed_destinations: [] }),
      await api.proxy(bound.url, { request_transform, allowed_destinations: [placeOf(other)] }),
    ];
    for (const proxy of proxies) {
      for (const container of containers) {
        const said = await asked({ permission: 'token:use', container, proxy_id: proxy.id });
        expect(said.decision === 'denied' ? 403 : 200).to.equal(await throughProxy(container, proxy.key));
      }
    }
    const towards = (destination: string) =>
      asked({ permission: 'token:use', container: '/pci/high/', destination });
    expect(await towards(placeOf(bound))).to.deep.include({
      decision: 'allowed',
      rule: { priority: 2, description: 'to one host' },
      reach: { anywhere: false, destinations: [placeOf(bound)] },
    });
    // The rule for one host is passed over; the next that lists the permission denies.
    expect(await towards('api.example.com')).to.deep.include({
      decision: 'denied',
      reason: 'use_without_reveal',
      rule: { priority: 3 },
    });
  });

  it('says it of both versions that a rollout serves: what it allows, either of them gets', async () => {
    const second = { name: 'second' };
    const pairs: readonly (readonly [Destination, Destination])[] = [
      [bound, other],
      [other, bound],
      [bound, bound],
    ];
    for (const [present, next] of pairs) {
      const proxy = await api.proxy(present.url);
      const draft = { ...second, destination_url: next.url };
      expect((await api.manage('POST', `/proxies/${proxy.id}/versions`, draft)).status).to.equal(201);
      const met: number[] = [];
      for (const percent of [0, 100]) {
        const rollout = { version: 2, percent };
        expect((await api.manage('PUT', `/proxies/${proxy.id}/rollout`, rollout)).status).to.equal(200);
        met.push(await throughProxy('/pci/high/', proxy.key));
      }
      const said = await asked({ permission: 'token:use', container: '/pci/high/', proxy_id: proxy.id });
      expect(said.decision).to.equal(met.includes(403) ? 'denied' : 'allowed');
      expect([200, 403]).to.include.members(met);
    }
  });

  it('refuses a question that makes no sense, and names what is wrong', async () => {
    const wrong: readonly (readonly [Record<string, string>, string])[] = [
      [{ container: '/pci/' }, 'permission'],
      [{ permission: 'token:use' }, 'container'],
      [{ permission: 'proxy:read', container: '/pci/' }, 'permission'],
      [{ permission: 'token:use', container: 'pci' }, 'container'],
      [{ permission: 'token:use', container: '/pci/', destination: '*.example.com' }, 'destination'],
      [{ permission: 'token:read', container: '/pci/', destination: 'a.example.com' }, 'destination'],
      [{ permission: 'token:use', container: '/pci/', proxy_id: 'p' }, 'proxy_id'],
    ];
    for (const [query, name] of wrong) {
      const answer = await simulate(query);
      expect([answer.status, Object.keys(answer.json.errors)], answer.text).to.deep.equal([400, [name]]);
    }
    const both = {
      permission: 'token:use',
      container: '/pci/',
      destination: 'a.example.com',
      proxy_id: crypto.randomUUID(),
    };
    expect(Object.keys((await simulate(both)).json.errors)).to.deep.equal(['destination', 'proxy_id']);
    const { destination: _, ...unknown } = both;
    expect((await simulate(unknown)).status).to.equal(404);
  });
});
