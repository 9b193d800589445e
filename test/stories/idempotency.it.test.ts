import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { expect } from 'chai';

import { type Answer, type Sent, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { type System, sharedSystem } from '../harness/system.ts';

const unknownOutcome = /outcome .* is not known.* not sent again/;

/** contract/conventions.md#idempotency, and what it leaves open for /proxy and /react; docs/idempotency.md. */
describe('an idempotency key', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const keyed = (key: string, more: Sent = {}): Sent => ({
    ...more,
    headers: { 'SVC-IDEMPOTENCY-KEY': key, ...more.headers },
  });
  const isReplay = (answer: Answer) => answer.headers['svc-idempotent-replay'] === 'true';

  describe('of a token', () => {
    const create = (sent: Sent) =>
      api.send('POST', '/tokens', {
        key: system.dev.private_api_key,
        body: { type: 'token', data: 'x' },
        ...sent,
      });

    it('makes one, and the same answer for each time that it is sent', async () => {
      const key = randomUUID();
      const [first, second] = [await create(keyed(key)), await create(keyed(key))];
      expect([first.status, isReplay(first), second.status, isReplay(second)]).to.deep.equal([
        201,
        false,
        201,
        true,
      ]);
      expect(second.text).to.equal(first.text);
      expect(second.headers['location']).to.equal(first.headers['location']);
    });

    it('is known by its alias, and refused when it is too long or empty', async () => {
      const key = randomUUID();
      const first = await create({ headers: { 'BT-IDEMPOTENCY-KEY': key } });
      expect((await create(keyed(key))).text).to.equal(first.text);
      for (const bad of ['', 'x'.repeat(256)]) {
        const answer = await create(keyed(bad));
        expect(answer.status).to.equal(400);
        expect(answer.json.errors).to.have.all.keys('SVC-IDEMPOTENCY-KEY');
      }
    });

    it('holds for tokenize and updates, and means nothing to a read or a search', async () => {
      const key = system.dev.private_api_key;
      const name = randomUUID();
      const tokenize = () =>
        api.send('POST', '/tokenize', keyed(name, { key, body: { type: 'token', data: 'y' } }));
      expect((await tokenize()).text).to.equal((await tokenize()).text);
      const id = await api.token({ type: 'token', data: 'z' });
      const update = () =>
        api.send('PATCH', `/tokens/${id}`, {
          ...keyed(name, { key, body: { metadata: { a: 'b' } } }),
          headers: { 'SVC-IDEMPOTENCY-KEY': name, 'Content-Type': 'application/merge-patch+json' },
        });
      expect((await update()).text).to.equal((await update()).text);
      for (const bad of ['', 'x'.repeat(256)]) {
        expect((await api.send('GET', `/tokens/${id}`, keyed(bad, { key }))).status).to.equal(200);
        expect((await api.send('POST', '/tokens/search', keyed(bad, { key, body: {} }))).status).to.equal(
          200,
        );
      }
    });
  });

  it('of a public application gives no visitor what another has stored', async () => {
    const key = system.dev.public_api_key;
    for (const path of ['/tokens', '/token-intents']) {
      const create = async (data: string) => {
        const answer = await api.send(
          'POST',
          path,
          keyed('checkout', { key, body: { type: 'token', data } }),
        );
        expect(answer.status, answer.text).to.equal(201);
        return answer.json.id as string;
      };
      const [mine, theirs] = [await create('mine'), await create('theirs')];
      expect(theirs).not.to.equal(mine);
      expect([await create('mine'), await create('theirs')]).to.deep.equal([mine, theirs]);
    }
  });

  describe('of a proxied request', () => {
    it('has it sent once, and is sent to no destination', async () => {
      const { key } = await api.proxy(destination.url);
      destination.answer = (_, response) => {
        response.writeHead(201, { 'Content-Type': 'text/plain', 'X-Own': 'a' });
        response.end('charged');
      };
      const name = randomUUID();
      const first = await api.invoke(key, 'POST', '/charges', keyed(name, { body: { amount: 1 } }));
      const second = await api.invoke(key, 'POST', '/charges/', keyed(name, { body: { amount: 2 } }));
      expect([first.status, first.text, isReplay(first)]).to.deep.equal([201, 'charged', false]);
      expect([second.status, second.text, isReplay(second)]).to.deep.equal([201, 'charged', true]);
      expect(second.headers).to.include({ 'x-own': 'a', 'content-type': 'text/plain' });
      expect(second.headers['svc-trace-id']).not.to.equal(first.headers['svc-trace-id']);
      expect(destination.received).to.have.length(1);
      expect(destination.received[0]?.rawHeaders.join()).not.to.match(/idempotency/i);
    });

    it('is of this path, method, proxy and application only', async () => {
      const [one, two] = [await api.proxy(destination.url), await api.proxy(destination.url)];
      const name = randomUUID();
      const other = await api.application({ name: 'o', type: 'private', permissions: ['token:use'] });
      const sent = keyed(name, { body: {} });
      await api.invoke(one.key, 'POST', '/a', sent);
      await api.invoke(one.key, 'POST', '/b', sent);
      await api.invoke(one.key, 'PUT', '/a', sent);
      await api.invoke(two.key, 'POST', '/a', sent);
      await api.invoke(one.key, 'POST', '/a', { ...sent, key: other.key });
      expect(destination.received).to.have.length(5);
      await api.invoke(one.key, 'POST', '/a', sent);
      expect(destination.received).to.have.length(5);
    });

    it('is not looked at with GET and DELETE', async () => {
      const { key } = await api.proxy(destination.url);
      for (const method of ['GET', 'DELETE']) {
        for (const name of ['same', 'same', 'x'.repeat(256)]) {
          expect((await api.invoke(key, method, '', keyed(name))).status).to.equal(200);
        }
      }
      expect(destination.received).to.have.length(6);
    });

    it('lets it be sent anew when the destination has refused it, or nothing was sent', async () => {
      const { key } = await api.proxy(destination.url);
      const name = randomUUID();
      const invoke = (body: unknown) => api.invoke(key, 'POST', '', keyed(name, { body }));
      expect((await invoke({ a: `{{ ${randomUUID()} }}` })).status).to.equal(400);
      destination.answer = (_, response) => response.writeHead(402).end('declined');
      expect((await invoke({})).text).to.equal('declined');
      destination.answer = (_, response) => response.writeHead(200).end('charged');
      expect((await invoke({})).text).to.equal('charged');
      expect(destination.received).to.have.length(2);

      const unreachable = await api.proxy('http://localhost:1');
      for (let i = 0; i < 2; i += 1) {
        expect((await api.invoke(unreachable.key, 'POST', '', keyed(name, { body: {} }))).status).to.equal(
          502,
        );
      }
    });

    it('has a second one refused while the first is being answered', async () => {
      const { key } = await api.proxy(destination.url);
      const answers: ServerResponse[] = [];
      destination.answer = (_, response) => void answers.push(response);
      const name = randomUUID();
      const arrived = destination.next();
      const first = api.invoke(key, 'POST', '', keyed(name, { body: {} }));
      await arrived;
      const second = await api.invoke(key, 'POST', '', keyed(name, { body: {} }));
      expect([second.status, second.json.proxy_error.status]).to.deep.equal([409, 409]);
      answers[0]?.end('done');
      expect((await first).text).to.equal('done');
      const third = await api.invoke(key, 'POST', '', keyed(name, { body: {} }));
      expect([third.text, isReplay(third)]).to.deep.equal(['done', true]);
      expect(destination.received).to.have.length(1);
    });

    it('has it never sent again when its outcome is not known', async () => {
      const { key } = await api.proxy(destination.url);
      destination.answer = (_, response) => void response.destroy();
      const name = randomUUID();
      expect((await api.invoke(key, 'POST', '', keyed(name, { body: {} }))).status).to.equal(502);
      for (let i = 0; i < 2; i += 1) {
        const again = await api.invoke(key, 'POST', '', keyed(name, { body: {} }));
        expect(again.status).to.equal(409);
        expect(again.json.proxy_error.detail).to.match(unknownOutcome);
      }
      expect(destination.received).to.have.length(1);
    });

    it('says that an answer was too large to be kept', async () => {
      const { key } = await api.proxy(destination.url);
      destination.answer = (_, response) => response.end('x'.repeat(300_000));
      const name = randomUUID();
      const first = await api.invoke(key, 'POST', '', keyed(name, { body: {} }));
      expect([first.status, first.text.length]).to.deep.equal([200, 300_000]);
      const second = await api.invoke(key, 'POST', '', keyed(name, { body: {} }));
      expect(second.status).to.equal(409);
      expect(second.json.proxy_error.detail).to.match(/has succeeded before\. Its answer was too large/);
      expect(destination.received).to.have.length(1);
    });

    it('is refused from an anonymous caller or public application, and when it is no key', async () => {
      const { key } = await api.proxy(destination.url, { require_auth: false });
      const anonymous = await api.send('POST', '/proxy', {
        headers: { 'SVC-PROXY-KEY': key, 'SVC-IDEMPOTENCY-KEY': 'a' },
        body: {},
      });
      expect(anonymous.status).to.equal(400);
      expect(anonymous.json.proxy_error.detail).to.match(/needs the API key/);
      const visitor = await api.invoke(key, 'POST', '', {
        ...keyed('a', { body: {} }),
        key: system.dev.public_api_key,
      });
      expect(visitor.status).to.equal(400);
      const long = await api.invoke(key, 'POST', '', keyed('x'.repeat(256), { body: {} }));
      expect(long.status).to.equal(400);
      expect(long.json.proxy_error.errors).to.have.all.keys('SVC-IDEMPOTENCY-KEY');
      expect(destination.received).to.have.length(0);
    });

    it('gives back what a response transform has made', async () => {
      const { key } = await api.proxy(destination.url, {
        response_transform: {
          code: 'module.exports = async ({ args }) => ({ headers: args.headers, body: { n: Math.random() } })',
        },
      });
      const name = randomUUID();
      const invoke = () => api.invoke(key, 'POST', '', keyed(name, { body: {} }));
      const first = await invoke();
      expect(first.json.n).to.be.a('number');
      expect((await invoke()).text).to.equal(first.text);
    });
  });

  describe('of a reactor', () => {
    it('has it run once, and lets it run anew after its code has failed', async () => {
      const reactor = await createReactor(
        api,
        `async ({ args }) => { if (args.fail) throw new Error('no'); return { raw: { n: Math.random() } } }`,
      );
      const name = randomUUID();
      const react = (args: object, path = 'react') =>
        api.send(
          'POST',
          `/reactors/${reactor.id}/${path}`,
          keyed(name, { key: system.dev.private_api_key, body: { args } }),
        );
      expect((await react({ fail: true })).status).to.equal(500);
      const first = await react({});
      expect(first.status, first.text).to.equal(200);
      const second = await react({ fail: true });
      expect([second.text, isReplay(second)]).to.deep.equal([first.text, true]);

      const accepted = await react({}, 'react-async');
      expect(accepted.status).to.equal(202);
      expect((await react({}, 'react-async')).text).to.equal(accepted.text);
    });
  });
});
