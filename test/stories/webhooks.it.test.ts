import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Json, send } from '../harness/api.ts';
import { type Destination, type Received, startDestination } from '../harness/destination.ts';
import { expectError, reactorStory } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';
import { isSigned } from '../harness/webhook-signature.ts';

/** contract/reactors.md#asynchronous-invocation and contract/webhooks.md#webhook-object, over the whole system. */
describe('a tenant with webhooks', () => {
  const story = reactorStory();
  const { reactor } = story;
  let receiver: Destination;
  beforeEach(async () => {
    receiver = await startDestination();
  });
  afterEach(() => receiver[Symbol.asyncDispose]());

  const react = ({ id }: Json, body: object) =>
    story.api.send('POST', `/reactors/${id}/react`, { key: story.key, body });
  const told = (count: number) => until(`${count} came`, () => receiver.received.length >= count);
  const hook = async (events: readonly string[]): Promise<Json> => {
    const body = { name: 'story', url: `${receiver.url}/hook`, events };
    const made = await story.api.manage('POST', '/webhooks', body);
    expect(made.status, made.text).to.equal(201);
    return made.json;
  };
  const eventOf = (one: Received): Json => JSON.parse(one.body.toString()).event;

  it('hears of its own invocations, signed, with nothing of what they held, until it says otherwise', async () => {
    const { id, secret } = await hook(['reactor.completed', 'reactor.failed']);
    const token = await story.api.token({ type: 'token', data: '4111111111111111' });
    const good = await reactor('({ args }) => ({ raw: args })');
    const bad = await reactor('({ args }) => { throw new Error(args.pan) }');
    expect((await react(good, { args: { pan: `{{ ${token} }}` } })).status).to.equal(200);
    expect((await react(bad, { args: { pan: `{{ ${token} }}` } })).status).to.equal(500);
    await story.api.send('POST', `/reactors/${good.id}/react-async`, { key: story.key, body: {} });
    await told(3);
    expect(receiver.received.map((one) => eventOf(one).type)).to.have.members([
      ...['reactor.completed', 'reactor.failed', 'reactor.completed'],
    ]);
    for (const one of receiver.received) {
      expect(isSigned(secret, one)).to.equal(true);
      expect(one.body.toString()).to.not.contain('4111111111111111');
      expect(eventOf(one).data.elapsed_ms).to.be.a('number');
    }
    const system = await sharedSystem();
    const stranger = await anotherTenant(system, 'stranger to webhooks');
    const sent = { key: stranger.management_api_key };
    expect((await send(story.api.base, 'GET', '/webhooks', sent)).json.data).to.deep.equal([]);
    expectError(await send(story.api.base, 'DELETE', `/webhooks/${id}`, sent), 404, /no such webhook/);

    const rotated = await story.api.manage('POST', `/webhooks/${id}/rotate-secret`);
    receiver.received.length = 0;
    await react(good, {});
    await told(1);
    const [one] = receiver.received as [Received];
    expect([secret, rotated.json.secret].map((known) => isSigned(known, one))).to.deep.equal([true, true]);

    expect((await story.api.manage('DELETE', `/webhooks/${id}`)).status).to.equal(204);
    receiver.received.length = 0;
    const after = await hook(['reactor.invoked']);
    await react(good, {});
    await told(1);
    expect(receiver.received.map((received) => eventOf(received).type)).to.deep.equal(['reactor.invoked']);
    await story.api.manage('DELETE', `/webhooks/${after.id}`);
  });

  it('sees what became of deliveries, and has one made again or a test sent', async () => {
    const { id, secret } = await hook(['reactor.completed']);
    const deliveries = async (query = ''): Promise<Json> =>
      (await story.api.manage('GET', `/webhooks/${id}/deliveries${query}`)).json;
    const latest = async (): Promise<Json> => (await deliveries()).data[0];
    receiver.answer = (_received, response) => void response.writeHead(500).end('a secret of the receiver');
    await react(await reactor('() => ({ raw: {} })'), {});
    await until('the attempt is listed', async () => (await latest())?.attempts.length === 1);
    const failed = await latest();
    expect(failed).to.include({ event_type: 'reactor.completed', state: 'retrying' });
    expect(failed.attempts[0]).to.have.all.keys('at', 'duration_ms', 'status').and.include({ status: 500 });

    receiver.answer = (_received, response) => void response.end();
    receiver.received.length = 0;
    const resent = await story.api.manage('POST', `/webhooks/${id}/deliveries/${failed.id}/resend`);
    expect([resent.status, resent.json.state], resent.text).to.deep.equal([200, 'waiting']);
    await told(1);
    const [again] = receiver.received as [Received];
    expect([eventOf(again).id, isSigned(secret, again)]).to.deep.equal([failed.id, true]);
    expect(JSON.parse(again.body.toString()).event).to.not.have.property('target');
    await until('it is listed as delivered', async () => (await latest()).state === 'delivered');
    expect((await latest()).attempts.map((one: Json) => one.status)).to.deep.equal([500, 200]);

    receiver.received.length = 0;
    const tested = await story.api.manage('POST', `/webhooks/${id}/test`);
    await told(1);
    const [test] = receiver.received as [Received];
    expect(eventOf(test)).to.include({ type: 'webhook.test', id: tested.json.id });
    expect([eventOf(test).data.name, isSigned(secret, test)]).to.deep.equal(['story', true]);
    const { data, pagination } = await deliveries('?size=1');
    expect([data.length, data[0].id]).to.deep.equal([1, tested.json.id]);
    const older = await deliveries(`?size=1&start=${pagination.next}`);
    expect([older.data[0].id, older.pagination.next]).to.deep.equal([failed.id, undefined]);
    const { json: log } = await story.api.manage('GET', `/logs?entity_id=${id}&size=2`);
    expect(log.data.map((one: Json) => one.operation)).to.have.members(['test', 'resend']);

    const unknown = `/webhooks/${id}/deliveries/${crypto.randomUUID()}/resend`;
    expectError(await story.api.manage('POST', unknown), 404, /no such delivery/);
    const { secret: _, ...shown } = (await story.api.manage('GET', `/webhooks/${id}`)).json;
    const body = { name: shown.name, url: shown.url, events: shown.events, status: 'disabled' };
    await story.api.manage('PUT', `/webhooks/${id}`, body);
    expectError(await story.api.manage('POST', `/webhooks/${id}/test`), 409, /disabled/);
    await story.api.manage('DELETE', `/webhooks/${id}`);
    expect((await story.api.manage('GET', `/webhooks/${id}/deliveries`)).status).to.equal(404);
  });

  it('is sent a result where it asked for it, instead of an answer', async () => {
    const token = await story.api.token({ type: 'token', data: '4242' });
    const made = await reactor('({ args }) => ({ raw: args })');
    for (const name of ['callback_url', 'callbackUrl']) {
      receiver.received.length = 0;
      const body = { args: { pan: `{{ ${token} }}` }, [name]: `${receiver.url}/result?for=${name}` };
      const answer = await react(made, body);
      expect(answer.status, answer.text).to.equal(202);
      expect(answer.text).to.equal('');
      await told(1);
      const [one] = receiver.received as [Received];
      expect(one).to.include({ method: 'POST', url: `/result?for=${name}` });
      expect(JSON.parse(one.body.toString())).to.deep.equal({ raw: { pan: '4242' } });
      expect(one.headers['svc-reactor-status']).to.equal('200');
    }
    expectError(await react(made, { callback_url: 'http://10.0.0.1' }), 400, /callback_url/);
    expectError(await react(made, { args: { a: '{{ x' }, callback_url: receiver.url }), 400, /./);
  });
});
