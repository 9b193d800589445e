import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

describe('logs', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  let callerId: string;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
    callerId = (await api.send('GET', '/applications/key', { key: system.dev.private_api_key })).json.id;
  });
  after(() => destination[Symbol.asyncDispose]());

  const list = async (query = ''): Promise<Json> => {
    const { status, json, text } = await api.manage('GET', `/logs${query}`);
    expect(status, text).to.equal(200);
    return json;
  };
  const of = async (entityId: string) =>
    (await list(`?entity_id=${entityId}`)).data.map(
      ({ operation, message }: Json) => `${operation}: ${message}`,
    );
  const key = () => system.dev.private_api_key;

  it('show the life of a token: who created, read, searched, changed, used and deleted it', async () => {
    const id = randomUUID();
    const container = `/logs/${id}/`;
    await api.token({ id, type: 'token', data: 'logged', containers: [container] });
    await api.send('GET', `/tokens/${id}`, { key: key() });
    await api.send('POST', '/tokens/search', { key: key(), body: { query: `container:"${container}"` } });
    await api.send('PATCH', `/tokens/${id}`, {
      key: key(),
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ metadata: { a: 'b' } }),
    });
    const proxy = await api.proxy(destination.url);
    await api.invoke(proxy.key, 'POST', '/', { body: { value: `{{ ${id} }}` } });
    await api.send('POST', '/detokenize', { key: key(), body: { value: `{{ ${id} }}` } });
    const formula = await api.manage('POST', '/reactor-formulas', {
      name: 'log',
      type: 'private',
      code: 'module.exports = async () => ({ raw: {} })',
      configuration: [],
      request_parameters: [],
    });
    const reactor = await api.manage('POST', '/reactors', {
      name: 'log',
      formula: { id: formula.json.id },
      configuration: {},
    });
    await api.send('POST', `/reactors/${reactor.json.id}/react`, {
      key: key(),
      body: { args: { value: `{{ ${id} }}` } },
    });
    await api.send('DELETE', `/tokens/${id}`, { key: key() });
    expect(await of(id)).to.deep.equal([
      'delete: Token deleted',
      `use: Token used in reactor ${reactor.json.id}`,
      'read: Token detokenized',
      `use: Token used in proxy ${proxy.id}`,
      'update: Token updated',
      'search: Token found by a search',
      'read: Token retrieved',
      'create: Token created',
    ]);
    const { data } = await list(`?entity_id=${id}&entity_type=token`);
    expect(data).to.have.length(8);
    for (const entry of data) {
      expect(entry).to.include({
        tenant_id: system.dev.tenant_id,
        actor_id: callerId,
        actor_type: 'application',
        entity_type: 'token',
        entity_id: id,
      });
      expect(Date.parse(entry.created_at)).to.be.within(Date.now() - 120_000, Date.now() + 1000);
      expect(JSON.stringify(entry)).to.not.include('logged');
    }
    expect(await of(proxy.id)).to.deep.equal(['create: Proxy created']);
    expect(await of(reactor.json.id)).to.deep.equal(['create: Reactor created']);
    expect(await of(formula.json.id)).to.deep.equal(['create: Reactor Formula created']);
  });

  it('show who was refused a use, a read, a change or the deletion of a token, and why', async () => {
    const id = await api.token({ type: 'token', data: 'not for all', containers: ['/closed/'] });
    const permissions = ['token:use', 'token:read', 'token:update', 'token:delete'];
    const rules = [{ priority: 1, container: '/open/', transform: 'reveal', permissions }];
    const outsider = await api.application({ name: 'outsider', type: 'private', rules });
    const proxy = await api.proxy(destination.url);
    const by = { key: outsider.key };
    const value = `{{ ${id} }}`;
    const mergePatch = { 'Content-Type': 'application/merge-patch+json' };
    const refused = [
      await api.invoke(proxy.key, 'POST', '/', { ...by, body: { value } }),
      await api.send('POST', '/detokenize', { ...by, body: { value } }),
      await api.send('GET', `/tokens/${id}`, by),
      await api.send('PATCH', `/tokens/${id}`, { ...by, headers: mergePatch, body: '{"data":1}' }),
      await api.send('DELETE', `/tokens/${id}`, by),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal([403, 403, 403, 403, 403]);
    const denied = await list(`?entity_id=${id}&outcome=denied`);
    expect(denied.pagination.total_items).to.equal(5);
    expect(denied.data.map(({ message }: Json) => message)).to.deep.equal([
      'Token not deleted',
      'Token not updated',
      'Token not retrieved',
      'Token not detokenized',
      `Token not used in proxy ${proxy.id}`,
    ]);
    for (const entry of denied.data) {
      expect(entry).to.include({ actor_id: outsider.id, outcome: 'denied', reason: 'outside_scope' });
    }
    const allowed = (await list(`?entity_id=${id}&outcome=allowed`)).data;
    expect(allowed.map(({ message }: Json) => message)).to.deep.equal(['Token created']);
    expect(allowed[0]).to.include({ outcome: 'allowed' }).and.not.to.have.property('reason');
    expect((await list(`?entity_id=${id}`)).pagination.total_items).to.equal(6);
  });

  it('show who made and authorized a session, and what was done with it', async () => {
    const made = await api.send('POST', '/sessions', { key: system.dev.public_api_key });
    const { session_key, nonce } = made.json;
    const rules = [{ priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] }];
    await api.send('POST', '/sessions/authorize', { key: key(), body: { nonce, rules } });
    const id = await api.token({ type: 'token', data: 1 });
    await until('it may read', async () => {
      const { status } = await api.send('GET', `/tokens/${id}`, { key: session_key });
      return status === 200;
    });
    const [read] = (await list(`?entity_id=${id}`)).data;
    expect(read).to.include({ operation: 'read', actor_type: 'session' });
    const session = (await list(`?entity_id=${read.actor_id}`)).data;
    expect(session.map(({ message }: Json) => message)).to.deep.equal([
      'Session authorized',
      'Session created',
    ]);
    expect(session[0].actor_id).to.equal(callerId);
    expect((await list('?entity_type=session&size=1')).data[0].entity_type).to.equal('session');
  });

  it('are one list of all, in pages by number and by cursor that lose and repeat nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      await api.token({ type: 'token', data: round });
      await api.application({ name: 'noise', type: 'private', permissions: ['token:use'] });
    }
    const until_ = encodeURIComponent(new Date().toISOString());
    const whole = await list(`?end_date=${until_}&size=10000`);
    const ids = whole.data.map(({ id }: Json) => id);
    expect(new Set(ids).size).to.equal(whole.pagination.total_items);
    expect(new Set(whole.data.map(({ entity_type }: Json) => entity_type))).to.include.keys(
      'token',
      'application',
    );
    const moments = whole.data.map(({ created_at }: Json) => created_at);
    expect(moments).to.deep.equal(moments.toSorted().toReversed());
    const byNumber: string[] = [];
    const byCursor: string[] = [];
    for (let page = 1; page <= 4; page += 1) {
      byNumber.push(
        ...(await list(`?end_date=${until_}&size=5&page=${page}`)).data.map(({ id }: Json) => id),
      );
    }
    let cursor = '';
    for (let part = 0; part < 4; part += 1) {
      const { data, pagination } = await list(`?end_date=${until_}&size=5${cursor}`);
      byCursor.push(...data.map(({ id }: Json) => id));
      expect(pagination.after).to.equal(pagination.next);
      cursor = `&start=${pagination.next}`;
      await api.token({ type: 'token', data: 'new meanwhile' });
    }
    expect(byNumber).to.deep.equal(ids.slice(0, 20));
    expect(byCursor).to.deep.equal(ids.slice(0, 20));
  });

  it('are of one tenant, for its management applications with log:read', async () => {
    const other = await anotherTenant(system, 'logs elsewhere');
    const id = await api.token({ type: 'token', data: 1 });
    const foreign = await api.send('GET', `/logs?entity_id=${id}`, { key: other.management_api_key });
    expect([foreign.status, foreign.json.data]).to.deep.equal([200, []]);
    const everything = await api.send('GET', '/logs?size=1000', { key: other.management_api_key });
    for (const entry of everything.json.data) expect(entry.tenant_id).to.equal(other.tenant_id);
    const blind = await api.application({ name: 'blind', type: 'management', permissions: ['proxy:read'] });
    for (const path of ['/logs', '/logs/', '/logs/entity-types']) {
      expect((await api.send('GET', path)).status).to.equal(401);
      for (const lacking of [blind.key, system.dev.private_api_key, system.dev.public_api_key]) {
        expect((await api.send('GET', path, { key: lacking })).status).to.equal(403);
      }
    }
    const types = await api.manage('GET', '/logs/entity-types');
    expect(types.json).to.deep.include({ display_name: 'Proxy', value: 'proxy' });
  });

  it('survive hostile questions', async () => {
    const hostile = [
      'size=10001',
      'size=-1',
      'page=1e3',
      'start=%00',
      `start=${'A'.repeat(501)}`,
      `start=${Buffer.from('9999999999999999.1.9999999999999999').toString('base64url')}`,
      'start_date=2026-99-99',
      'end_date=now()',
      "start_date=2026-01-01'--",
      'entity_type=%00',
      `entity_id=${'x'.repeat(401)}`,
      'size=1&size=2',
    ];
    for (const query of hostile) {
      const { status, json } = await api.manage('GET', `/logs?${query}`);
      expect(status, query).to.equal(400);
      expect(Object.keys(json.errors), query).to.deep.equal([query.split('=')[0]]);
    }
    for (const query of [
      "entity_id='%20OR%201=1--",
      'entity_type=%F0%9F%94%A5',
      'entity_id=%25',
      'start_date=9999-12-31',
    ]) {
      expect((await list(`?${query}`)).data, query).to.deep.equal([]);
    }
  });
});
