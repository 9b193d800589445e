import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Answer, type Json, type Sent, send } from '../harness/api.ts';
import { expectError, reactorStory } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** contract/reactors.md#asynchronous-invocation, over the whole system. */
describe('a reactor that is invoked asynchronously', () => {
  const story = reactorStory();
  const { reactor } = story;

  const reactAsync = ({ id }: Json, args: unknown, sent: Sent = {}) =>
    story.api.send('POST', `/reactors/${id}/react-async`, { key: story.key, body: { args }, ...sent });
  const resultOf = ({ id }: Json, request: string, key = story.key) =>
    story.api.send('GET', `/reactors/${id}/results/${request}`, { key });
  const requestOf = (answer: Answer): string => {
    expect(answer.status, answer.text).to.equal(202);
    expect(answer.json).to.have.all.keys('asyncReactorRequestId');
    expect(answer.json.asyncReactorRequestId).to.match(uuid);
    return answer.json.asyncReactorRequestId;
  };
  const settled = async (made: Json, request: string): Promise<Answer> => {
    let answer!: Answer;
    await until('there is a result', async () => {
      answer = await resultOf(made, request);
      return answer.status !== 404;
    });
    return answer;
  };

  it('is accepted, and then answers what it would have answered at once', async () => {
    const token = await story.api.token({ type: 'token', data: { number: '4242' } });
    const code = `({ args, configuration }) => ({
      raw: { got: args.card.number, key: configuration.KEY },
      tokenize: { made: { type: 'token', data: args.card.number } },
    })`;
    const formula = { parameters: { 'card.number': 'string' }, settings: { KEY: 'string' } };
    const application = await story.api.application({
      name: 'creator',
      type: 'private',
      permissions: ['token:create'],
    });
    for (const more of [{}, { application: { id: application.id } }]) {
      const made = await reactor(code, formula, { configuration: { KEY: 's' }, ...more });
      const request = requestOf(await reactAsync(made, { card: `{{ ${token} }}` }));
      const answer = await settled(made, request);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json.raw).to.deep.equal({ got: '4242', key: 's' });
      expect(answer.json.tokens.made.id).to.match(uuid);
      expect((await resultOf(made, request)).text).to.equal(answer.text);
    }
  });

  it('is listed from its acceptance on with what became of it, and nothing that it held', async () => {
    const [good, bad] = [await reactor('({ args }) => ({ raw: args })'), await reactor('() => { throw 1 }')];
    const requests: string[] = [];
    for (const made of [good, bad]) {
      const request = requestOf(await reactAsync(made, { pan: 'a value of the arguments' }));
      await settled(made, request);
      requests.push(request);
    }
    const list = async (query = ''): Promise<Json> =>
      (await story.api.manage('GET', `/invocations/asynchronous${query}`)).json;
    const { data, pagination } = await list('?size=1');
    expect(data[0]).to.include({ id: requests[1], reactor_id: bad.id, state: 'failed' });
    expect(data[0]).to.have.all.keys(
      ...['id', 'reactor_id', 'application_id', 'state', 'accepted_at', 'ended_at', 'duration_ms', 'error'],
    );
    const older = await list(`?size=1&start=${pagination.next}`);
    expect(older.data[0]).to.include({ id: requests[0], reactor_id: good.id, state: 'completed' });
    expect(JSON.stringify([data, older])).to.not.contain('a value of the arguments');
    const stranger = await anotherTenant(await sharedSystem(), 'stranger to asynchronous invocations');
    const path = '/invocations/asynchronous';
    const theirs = await send(story.api.base, 'GET', path, { key: stranger.management_api_key });
    expect(theirs.json.data).to.deep.equal([]);
    expectError(await send(story.api.base, 'GET', path, { key: story.key }), 403, /reactor:read/);
  });

  it('answers later with the errors and responses that its code throws', async () => {
    const known = { RateLimitError: 429, InvalidPaymentMethodError: 402 };
    for (const [name, status] of Object.entries(known)) {
      const made = await reactor(
        `() => { throw Object.assign(new Error('x'), { name: '${name}', status: ${status}, errors: { a: ['b'] } }) }`,
      );
      const answer = await settled(made, requestOf(await reactAsync(made, {})));
      expectError(answer, status, /"a":\["b"\]/);
    }
    const broken = await reactor('() => { throw new TypeError("told") }');
    expectError(await settled(broken, requestOf(await reactAsync(broken, {}))), 500, /TypeError: told/);
  });

  it('is refused at once for what is wrong with the request', async () => {
    const made = await reactor('() => ({})', { parameters: { n: 'number' } });
    expectError(await reactAsync(made, { n: 'x' }), 400, /args\.n/);
    expectError(await reactAsync(made, { n: `{{ ${randomUUID()} }}` }), 400, /./);
    expectError(await reactAsync({ id: randomUUID() }, {}), 404, /no reactor/);
    expect((await reactAsync(made, { n: 1 }, { key: 'key_nobody' })).status).to.equal(401);
  });

  it('has a result for the application that has invoked it, by any of its keys, and for no other', async () => {
    const made = await reactor('() => ({ raw: 1 })');
    const use = { name: 'user', type: 'private', permissions: ['token:use'] };
    const [mine, other] = [await story.api.application(use), await story.api.application(use)];
    const second = (await story.api.manage('POST', `/applications/${mine.id}/keys`)).json.key;
    const idempotent = { key: mine.key, headers: { 'SVC-IDEMPOTENCY-KEY': randomUUID() } };
    const request = requestOf(await reactAsync(made, {}, idempotent));
    expect(requestOf(await reactAsync(made, {}, idempotent))).to.equal(request);
    await until('there is a result', async () => (await resultOf(made, request, mine.key)).status === 200);
    expect((await resultOf(made, request, second)).json).to.deep.equal({ raw: 1 });
    for (const key of [other.key, story.key]) {
      expectError(await resultOf(made, request, key), 404, /no such request/);
    }
  });

  it('has the result of a session for that session, and not for the application that has authorized it', async () => {
    const { dev } = await sharedSystem();
    const session = (await story.api.send('POST', '/sessions', { key: dev.public_api_key })).json;
    const body = { nonce: session.nonce, permissions: ['token:use'] };
    const authorized = await story.api.send('POST', '/sessions/authorize', { key: story.key, body });
    expect(authorized.status, authorized.text).to.equal(200);
    const made = await reactor('() => ({ raw: 1 })');
    const request = requestOf(await reactAsync(made, {}, { key: session.session_key }));
    await until('there is a result', async () => {
      return (await resultOf(made, request, session.session_key)).status === 200;
    });
    expectError(await resultOf(made, request), 404, /no such request/);
  });

  it('has a result under its own address, for who may use tokens', async () => {
    const made = await reactor('() => ({ raw: 1 })');
    const other = await reactor('() => ({ raw: 2 })');
    const request = requestOf(await reactAsync(made, {}));
    await settled(made, request);
    expectError(await resultOf(other, request), 404, /no such request/);
    expectError(await resultOf(made, randomUUID()), 404, /no such request/);
    expectError(await resultOf(made, 'x'), 404, /no such request/);
    const reader = await story.api.application({ name: 'r', type: 'private', permissions: ['token:create'] });
    expect((await resultOf(made, request, reader.key)).status).to.equal(403);
    const system = await sharedSystem();
    const stranger = await anotherTenant(system, 'stranger');
    const created = await send(story.api.base, 'POST', '/applications', {
      key: stranger.management_api_key,
      body: { name: 's', type: 'private', permissions: ['token:use'] },
    });
    expect((await resultOf(made, request, created.json.key)).status).to.equal(404);
    expect((await reactAsync(made, {}, { key: created.json.key })).status).to.equal(404);
  });
});
