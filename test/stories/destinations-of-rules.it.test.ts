import { expect } from 'chai';

import { type Answer, type Json, type Sent, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** contract/destinations.md#destinations-of-rules. */
describe('a key whose rule has destinations', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let bound: Destination;
  let other: Destination;
  let caller: Json;
  let id: string;

  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    bound = await startDestination();
    other = await startDestination();
    caller = await api.application({ name: 'bound', type: 'private', rules: [ruleFor([bound])] });
    id = await api.token({ type: 'token', data: 'bound value' });
  });
  beforeEach(() => {
    bound.received.length = 0;
    other.received.length = 0;
  });
  after(async () => {
    await bound[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const placeOf = ({ url }: Destination) => new URL(url).host;
  const ruleFor = (destinations: readonly Destination[], permissions = ['token:use']) => ({
    priority: 7,
    container: '/',
    transform: 'reveal',
    permissions,
    destinations: destinations.map(placeOf),
  });
  const body = () => ({ pan: `{{ ${id} }}` });
  const by = (headers: NonNullable<Sent['headers']>, key = caller.key): Promise<Answer> =>
    api.send('POST', '/proxy/charges', { key, body: body(), headers });
  const expectBound = (answer: Answer) => {
    expect(answer.status, answer.text).to.equal(403);
    expect(answer.text).to.include('destination_not_bound').and.not.include('bound value');
    // The same for every cause: it says nothing about this proxy.
    expect(answer.text).to.include('Code without allowed_destinations may reach any host.');
    expect(other.received).to.have.length(0);
  };
  const lastUse = async (): Promise<Json> =>
    (await api.manage('GET', `/logs?entity_id=${id}&size=1`)).json.data[0];

  it('sends values there, and the log says where they went', async () => {
    const { id: proxyId, key } = await api.proxy(bound.url);
    const answer = await by({ 'SVC-PROXY-KEY': key });
    expect(answer.status, answer.text).to.equal(200);
    expect(bound.received[0]?.body.toString()).to.equal('{"pan":"bound value"}');
    expect(await lastUse()).to.deep.include({
      operation: 'use',
      outcome: 'allowed',
      rule: 7,
      purpose: { type: 'proxy', id: proxyId },
      destination: placeOf(bound),
      trace_id: answer.headers['svc-trace-id'],
      client_address: '127.0.0.1',
    });
  });

  it('sends none to another host, and the log says where they would have gone', async () => {
    const { key } = await api.proxy(other.url);
    expectBound(await by({ 'SVC-PROXY-KEY': key }));
    expect(await lastUse()).to.deep.include({
      outcome: 'denied',
      reason: 'destination_not_bound',
      rule: 7,
      destination: placeOf(other),
    });
  });

  it('is bound for proxies that its requests describe too', async () => {
    expect((await by({ 'SVC-PROXY-URL': `${bound.url}/v1` })).status).to.equal(200);
    expectBound(await by({ 'SVC-PROXY-URL': other.url }));
    expectBound(await by({ 'SVC-PROXY-URL': bound.url.replace(/\d+$/, new URL(other.url).port) }));
  });

  it('is bound by what the code of a transform may reach', async () => {
    const request_transform = { code: 'module.exports = async ({ args }) => args' };
    const open = await api.proxy(bound.url, { request_transform });
    expectBound(await by({ 'SVC-PROXY-KEY': open.key }));
    const closed = await api.proxy(bound.url, { request_transform, allowed_destinations: [] });
    const answer = await by({ 'SVC-PROXY-KEY': closed.key });
    expect(answer.status, answer.text).to.equal(200);
    const wider = await api.proxy(bound.url, { request_transform, allowed_destinations: [placeOf(other)] });
    expectBound(await by({ 'SVC-PROXY-KEY': wider.key }));
  });

  it('covers code by its hosts, also where neither names the port because it is 443', async () => {
    const rule = ruleFor([bound]);
    const rules = [{ ...rule, destinations: [...rule.destinations, 'localhost', '*.example.com'] }];
    const { key } = await api.application({ name: 'by default', type: 'private', rules });
    const request_transform = { code: 'module.exports = async ({ args }) => args' };
    const allowed_destinations = ['localhost', 'api.example.com', '*.a.example.com:443'];
    const proxy = await api.proxy(bound.url, { request_transform, allowed_destinations });
    const answer = await by({ 'SVC-PROXY-KEY': proxy.key }, key);
    expect(answer.status, answer.text).to.equal(200);
    const reactor = await createReactor(api, 'async () => ({ raw: {} })', {}, { allowed_destinations });
    const reacted = await api.send('POST', `/reactors/${reactor.id}/react`, { key, body: { args: body() } });
    expect(reacted.status, reacted.text).to.equal(200);
  });

  it('is bound by what the code of a reactor may reach, and by a callback', async () => {
    const code = 'async () => ({ raw: {} })';
    const open = await createReactor(api, code);
    const closed = await createReactor(api, code, {}, { allowed_destinations: [] });
    const react = (reactor: Json, more: object = {}) =>
      api.send('POST', `/reactors/${reactor.id}/react`, {
        key: caller.key,
        body: { args: body(), ...more },
      });
    expectBound(await react(open));
    const answer = await react(closed);
    expect(answer.status, answer.text).to.equal(200);
    expectBound(await react(closed, { callback_url: other.url }));
    expect((await react(closed, { callback_url: bound.url })).status).to.equal(202);
  });

  it('binds its sessions', async () => {
    const maker = await api.application({ name: 'front', type: 'public', permissions: ['token:create'] });
    const { nonce, session_key } = (await api.send('POST', '/sessions', { key: maker.key })).json;
    const authorize = (rules: object[]) =>
      api.send('POST', '/sessions/authorize', { key: caller.key, body: { nonce, rules } });
    expect((await authorize([ruleFor([bound, other])])).status).to.equal(403);
    const granted = await authorize([ruleFor([bound])]);
    expect(granted.status, granted.text).to.equal(200);
    expect((await by({ 'SVC-PROXY-URL': bound.url }, session_key)).status).to.equal(200);
    expectBound(await by({ 'SVC-PROXY-URL': other.url }, session_key));
  });

  it('reads no value itself', async () => {
    const reader = await api.application({
      name: 'reader',
      type: 'private',
      rules: [ruleFor([bound], ['token:use', 'token:read'])],
    });
    const read = await api.send('GET', `/tokens/${id}`, { key: reader.key });
    expect(read.status).to.equal(200);
    expect(read.text).to.not.include('bound value');
    const detokenized = await api.send('POST', '/detokenize', { key: reader.key, body: body() });
    expect(detokenized.status).to.equal(403);
  });
});
