import { readOpenApiDocument } from '@glovebox/openapi/document';
import { webhookEvents } from '@glovebox/published/webhook-events';
import { expect } from 'chai';

import { type OtherTenant, anotherTenant } from '../harness/another-tenant.ts';
import { ApiSchemas } from '../harness/api-schemas.ts';
import { type Answer, type Json, send } from '../harness/api.ts';
import { type Destination, type Received, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';
import { isSigned } from '../harness/webhook-signature.ts';

const canary = '5555341244441115';
const tokenId = `told-${canary.slice(-4)}`;
/** They take an hour, or a person who is signed in: events.it.test.ts and people.it.test.ts of the vault have them. */
const elsewhere = new Set(['token.property.expired', 'token.revealed']);

/** contract/webhooks.md#events, docs/adr/0036: every type over the whole system, in a tenant of its own. */
describe('a tenant with a webhook for every event', () => {
  const schemas = new ApiSchemas(readOpenApiDocument());
  let system: System;
  let tenant: OtherTenant;
  let receiver: Destination;
  let destination: Destination;
  let secret: string;
  before(async () => {
    system = await sharedSystem();
    tenant = await anotherTenant(system, 'told of everything');
    receiver = await startDestination();
    destination = await startDestination();
  });
  after(async () => {
    await receiver[Symbol.asyncDispose]();
    await destination[Symbol.asyncDispose]();
  });

  const call = async (request: string, sent: Parameters<typeof send>[3] = {}): Promise<Answer> => {
    const [method = '', path = ''] = request.split(' ');
    const key = sent.key ?? tenant.management_api_key;
    const answer = await send(system.dev.base_url, method, path, { ...sent, key });
    expect(answer.status, `${request}: ${answer.text}`).to.be.below(300);
    return answer;
  };
  const make = async (request: string, body?: object, key?: string): Promise<Json> =>
    (await call(request, { ...(body && { body }), ...(key !== undefined && { key }) })).json;
  const merge = { 'Content-Type': 'application/merge-patch+json' };
  const eventsOf = (): Json[] => receiver.received.map(({ body }) => JSON.parse(body.toString()));
  async function changeResources(): Promise<void> {
    const proxy = await make('POST /proxies', { name: 'p', destination_url: destination.url });
    await make(`PUT /proxies/${proxy.id}`, { name: 'p', destination_url: destination.url });
    await call(`DELETE /proxies/${proxy.id}`);
    const code = `module.exports = () => ({ raw: '${canary}' })`;
    const reactor = await make('POST /reactors', { name: 'r', code, configuration: {} });
    await make(`PUT /reactors/${reactor.id}`, { name: 'r', code, configuration: {} });
    await call(`DELETE /reactors/${reactor.id}`);
    const body = { name: 'a', type: 'private', permissions: ['token:use'] };
    const { id } = await make('POST /applications', body);
    await make(`PUT /applications/${id}`, body);
    const key = await make(`POST /applications/${id}/keys`);
    await call(`DELETE /applications/${id}/keys/${key.id}`);
    await call(`DELETE /applications/${id}`);
    await make('PUT /tenants/self', { name: 'told of everything', settings: {} });
    const invitation = await make('POST /tenants/self/invitations', { email: `${canary}@example.com` });
    await make(`POST /tenants/self/invitations/${invitation.id}/resend`);
    await call(`DELETE /tenants/self/invitations/${invitation.id}`);
  }

  async function useTokens(key: string): Promise<void> {
    const body = { type: 'card_number', data: canary, id: 'told-{{ data | last4 }}', metadata: { a: 'b' } };
    const { id } = await make('POST /tokens', { ...body, mask: `{{ data | last4 }} ${canary}` }, key);
    await call(`PATCH /tokens/${id}`, { key, headers: merge, body: { metadata: { a: 'c' } } });
    await call(`GET /tokens/${id}`, { key });
    const proxy = await make('POST /proxies', { name: 'invoked', destination_url: destination.url });
    const headers = { 'SVC-PROXY-KEY': proxy.key, 'X-Note': 'a' };
    await call(`POST /proxy/${canary}?q=${canary}`, { key, headers, body: { pan: `{{ ${id} }}` } });
    await call(`DELETE /tokens/${id}`, { key });
    const short = { type: 'token', data: canary, id: 'told-once' };
    await make('POST /tokens', { ...short, expires_at: new Date(Date.now() + 3000).toISOString() }, key);
    await until('its id is free', async () => {
      const again = { key, body: short };
      return (await send(system.dev.base_url, 'POST', '/tokens', again)).status === 201;
    });
  }

  /** A destination and a reactor give back what the caller may use and not read; one does not fit the egress policy; another caller uses too much. */
  async function leakValues(owner: string): Promise<void> {
    const { id } = await make('POST /tokens', { type: 'token', data: canary }, owner);
    const rules = [{ priority: 1, container: '/', transform: 'reveal', permissions: ['token:use'] }];
    const { key } = await make('POST /applications', { name: 'user', type: 'private', rules });
    destination.answer = ({ body }, response) => response.end(body);
    const proxy = await make('POST /proxies', { name: 'echo', destination_url: destination.url });
    const pan = `{{ ${id} }}`;
    const policy = { destinations: [new URL(receiver.url).host], ephemeral: true };
    await make('PUT /tenants/self/egress-policy', { ...policy, mode: 'report' });
    await call('POST /proxy', { key, headers: { 'SVC-PROXY-KEY': proxy.key }, body: { pan } });
    await make('PUT /tenants/self/egress-policy', { ...policy, mode: 'off' });
    const code = 'module.exports = ({ args }) => ({ raw: args })';
    const reactor = await make('POST /reactors', { name: 'echo', code, configuration: {} });
    await call(`POST /reactors/${reactor.id}/react`, { key, body: { args: { pan } } });
    const limits = { uses_per_hour: 1 };
    const limited = await make('POST /applications', { name: 'limited', type: 'private', rules, limits });
    for (let uses = 0; uses < 2; uses += 1) {
      const sent = { key: limited.key, headers: { 'SVC-PROXY-KEY': proxy.key }, body: { pan } };
      await send(system.dev.base_url, 'POST', '/proxy', sent);
    }
  }

  async function stopRollout(key: string): Promise<void> {
    const proxy = { name: 'rolled out', destination_url: destination.url };
    const { id, key: proxyKey } = await make('POST /proxies', proxy);
    const code = `module.exports = () => { throw new Error('${canary}') }`;
    await make(`POST /proxies/${id}/versions`, { ...proxy, request_transform: { code } });
    const stop_when = { error_rate: 0, min_requests: 1 };
    await make(`PUT /proxies/${id}/rollout`, { version: 2, percent: 100, stop_when });
    const sent = { key, headers: { 'SVC-PROXY-KEY': proxyKey }, body: {} };
    expect((await send(system.dev.base_url, 'POST', '/proxy', sent)).status).to.equal(500);
  }

  async function useSessionsAndReactors(privateKey: string): Promise<void> {
    const permissions = ['token:create'];
    const { key } = await make('POST /applications', { name: 'page', type: 'public', permissions });
    const { nonce } = await make('POST /sessions', undefined, key);
    await call('POST /sessions/authorize', { key: privateKey, body: { nonce, permissions } });
    for (const code of [`() => ({ raw: '${canary}' })`, `() => { throw new Error('${canary}') }`]) {
      const body = { name: 'run', code: `module.exports = ${code}`, configuration: {} };
      const { id } = await make('POST /reactors', body);
      await send(system.dev.base_url, 'POST', `/reactors/${id}/react`, { key: privateKey, body: {} });
    }
  }

  it('hears of each type, signed and as it is described, with nothing of what tokens hold', async () => {
    const types = (await call('GET /webhooks/event-types')).json;
    expect(types).to.deep.equal(webhookEvents);
    const hook = await make('POST /webhooks', { name: 'all', url: `${receiver.url}/hook`, events: types });
    secret = hook.secret;
    const rule = { priority: 1, container: '/', transform: 'reveal' };
    const rights = ['token:create', 'token:read', 'token:update', 'token:delete', 'token:use'];
    const { key, id: owner } = await make('POST /applications', {
      name: 'owner',
      type: 'private',
      rules: [{ ...rule, permissions: rights }],
    });
    await changeResources();
    await useTokens(key);
    await useSessionsAndReactors(key);
    await leakValues(key);
    await stopRollout(key);
    const typesTold = () => new Set(eventsOf().map(({ event }) => event.type));
    const missing = () => types.filter((type: string) => !elsewhere.has(type) && !typesTold().has(type));
    await until('each type came', () => missing().length === 0).catch(() =>
      expect(missing()).to.deep.equal([]),
    );

    const told = eventsOf();
    for (const [position, delivery] of told.entries()) {
      const received = receiver.received[position] as Received;
      expect(
        schemas.problems('#/components/schemas/EventDelivery', delivery),
        received.body.toString(),
      ).to.deep.equal([]);
      expect(isSigned(secret, received)).to.equal(true);
      expect(received.body.toString()).to.not.contain(canary);
      expect(delivery.event.tenant_id).to.equal(tenant.tenant_id);
    }
    expect(new Set(told.map(({ event }) => event.id)).size).to.equal(told.length);
    const dataOf = (type: string) => told.find(({ event }) => event.type === type).event.data;
    // Deliveries come in any order, and two tokens are made.
    const created = told.find(({ event }) => event.type === 'token.created' && event.data.id === tokenId);
    const actor = { id: owner, type: 'application', name: 'owner' };
    expect(created?.event.data).to.deep.include({ actor, metadata: { a: 'b' } });
    expect(dataOf('token.expired')).to.deep.equal({ id: 'told-once', actor: { type: 'system' } });
    expect(dataOf('proxy.invoked')).to.deep.include({ actor });
    expect(dataOf('proxy.invoked').proxy).to.include({ name: 'invoked', type: 'pre_configured' });
    expect(dataOf('proxy.invoked').proxy.response.status).to.equal(200);
    expect(dataOf('proxy.invoked').destination.request).to.include({ method: 'POST', url: destination.url });
    expect(dataOf('proxy.invoked').destination.response.status).to.equal(200);
    expect(dataOf('proxy.response_leak')).to.deep.include({ mode: 'report', found_in: ['body'] });
    expect(dataOf('reactor.response_leak')).to.deep.include({ mode: 'report', found_in: ['body'] });
    expect(dataOf('rollout.stopped')).to.deep.include({ version: 2, requests: 1, errors: 1 });
    expect(dataOf('proxy.deleted').name).to.equal('p');
    expect(dataOf('session.authorized').permissions).to.deep.equal(['token:create']);
    expect(destination.received.at(-1)?.body.toString()).to.contain(canary);
  });
});
