import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { reactorStory } from '../harness/reactor-story.ts';
import { transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

const pan = '4242424242424242';
const stars = '*'.repeat(16);

/** contract/proxies.md#leak-guard and contract/reactors.md#leak-guard, over the whole system. */
describe('a value that comes back to an application that may use it', () => {
  const proxies = transformStory();
  const reactors = reactorStory();
  let token: string;
  let expression: string;
  let user: Json;
  let reader: Json;

  before(async () => {
    token = await proxies.api.token({ type: 'token', data: { number: pan, cvc: '123' } });
    expression = `{{ ${token} | json: '$.number' }}`;
    const rule = { priority: 1, container: '/', transform: 'reveal' };
    const withRights = (name: string, ...permissions: string[]) =>
      proxies.api.application({ name, type: 'private', rules: [{ ...rule, permissions }] });
    user = await withRights('user', 'token:use');
    reader = await withRights('reader', 'token:use', 'token:read');
  });

  /** The entry of the log, and all of its text. */
  const leakOf = async (traceId: unknown): Promise<[Json, string]> => {
    const logged = () => proxies.api.manage('GET', `/logs?entity_type=leak&trace_id=${String(traceId)}`);
    await until('it is in the log', async () => (await logged()).json.data.length > 0);
    const { json, text } = await logged();
    expect(json.data).to.have.lengthOf(1);
    return [json.data[0], text];
  };

  describe('from a destination', () => {
    beforeEach(() => {
      proxies.destination.answer = ({ body }, response) => response.end(body);
    });

    const echo = async (more: object, { key }: Json) => {
      const proxy = await proxies.api.proxy(proxies.destination.url, more);
      return proxies.post(proxy, { key, body: { pan: expression } });
    };

    it('is reported, masked or refused, as the proxy says', async () => {
      const reported = await echo({}, user);
      expect(reported.text).to.equal(`{"pan":"${pan}"}`);
      expect(reported.headers).to.include({ 'svc-guard': 'leak' });
      const masked = await echo({ response_guard: 'mask' }, user);
      expect(masked.text).to.equal(`{"pan":"${stars}"}`);
      const refused = await echo({ response_guard: 'refuse' }, user);
      expect(refused.status).to.equal(502);
      expect(refused.json.proxy_error.code).to.equal('response_leaks_value');
      expect((await echo({ response_guard: 'off' }, user)).headers).not.to.have.property('svc-guard');
    });

    it('is in the log with the trace id, the proxy, the destination and what was done, and without the value', async () => {
      const { host } = new URL(proxies.destination.url);
      for (const mode of ['report', 'mask', 'refuse']) {
        const { headers } = await echo({ response_guard: mode }, user);
        const [entry, text] = await leakOf(headers['svc-trace-id']);
        expect(entry).to.deep.include({
          actor_id: user.id,
          actor_type: 'application',
          entity_type: 'leak',
          operation: 'leak',
          outcome: mode === 'refuse' ? 'denied' : 'allowed',
          reason: mode,
          purpose: { type: 'proxy', id: entry.entity_id },
          destination: host,
          message: `Proxy ${mode === 'refuse' ? 'was refused' : 'gave'} an answer with a value that was filled in`,
        });
        expect(text).not.to.include(pan);
      }
    });

    it('is not looked for if the caller may read it', async () => {
      const { status, text, headers } = await echo({ response_guard: 'refuse' }, reader);
      expect(status, text).to.equal(200);
      expect(text).to.equal(`{"pan":"${pan}"}`);
      expect(headers).not.to.have.property('svc-guard');
    });

    it('is masked in a whole object, down to its leaves', async () => {
      const proxy = await proxies.api.proxy(proxies.destination.url, { response_guard: 'mask' });
      const { text } = await proxies.post(proxy, { key: user.key, body: { card: `{{ ${token} }}` } });
      expect(JSON.parse(text)).to.deep.equal({ card: { number: stars, cvc: '123' } });
    });
  });

  describe('from a reactor', () => {
    const echo = '({ args }) => ({ raw: { pan: args.pan, digits: Number(args.pan), as: btoa(args.pan) } })';
    const react = async (code: string, more: object, { key }: Json) =>
      reactors.react(await reactors.reactor(code, {}, more), { pan: expression }, { key });

    it('is reported, masked or refused, as the reactor says', async () => {
      const reported = await react(echo, {}, user);
      expect(reported.json.raw.pan, reported.text).to.equal(pan);
      expect(reported.headers).to.include({ 'svc-guard': 'leak' });
      const masked = await react(echo, { response_guard: 'mask' }, user);
      expect(masked.headers).not.to.have.property('svc-guard');
      expect(masked.json.raw).to.include({ pan: stars, digits: stars });
      expect(masked.json.raw.as).to.match(/^\*{21}.==$/);
      const refused = await react(echo, { response_guard: 'refuse' }, user);
      expect(refused.status).to.equal(502);
      expect(refused.json.code).to.equal('response_leaks_value');
      const off = await react(echo, { response_guard: 'off' }, user);
      expect(off.headers).not.to.have.property('svc-guard');
      expect((await react(echo, { response_guard: 'refuse' }, reader)).json.raw.pan).to.equal(pan);
    });

    it('is in the log with the trace id and the reactor', async () => {
      const { headers } = await react(echo, { response_guard: 'mask' }, user);
      const [entry, text] = await leakOf(headers['svc-trace-id']);
      expect(entry).to.deep.include({
        ...{ actor_id: user.id, entity_type: 'leak', outcome: 'allowed', reason: 'mask' },
        purpose: { type: 'reactor', id: entry.entity_id },
      });
      expect(entry).not.to.have.property('destination');
      expect(text).not.to.include(pan);
    });

    it('is found in what its code answers by throwing', async () => {
      const own = `({ args: { pan } }) => {
        const answer = { status: 203, headers: { 'X-Pan': pan }, body: { pan } };
        throw Object.assign(new Error('own'), { name: 'CustomHttpResponseError' }, answer);
      }`;
      const reported = await react(own, {}, user);
      expect(reported.status, reported.text).to.equal(203);
      expect(reported.headers).to.include({ 'svc-guard': 'leak', 'x-pan': pan });
      const masked = await react(own, { response_guard: 'mask' }, user);
      expect(masked.headers).to.include({ 'x-pan': stars });
      expect(masked.text).to.equal(`{"pan":"${stars}"}`);
      expect((await react(own, { response_guard: 'refuse' }, user)).status).to.equal(502);
    });

    it('is found in the result of an asynchronous invocation', async () => {
      const { key } = user;
      const resultOf = async (more: object) => {
        const { id } = await reactors.reactor('({ args }) => ({ raw: args })', {}, more);
        const body = { args: { pan: expression } };
        const accepted = await reactors.api.send('POST', `/reactors/${id}/react-async`, { key, body });
        const path = `/reactors/${id}/results/${accepted.json.asyncReactorRequestId}`;
        const get = () => reactors.api.send('GET', path, { key });
        await until('there is a result', async () => (await get()).status !== 404);
        return get();
      };
      const reported = await resultOf({});
      expect(reported.json).to.deep.equal({ raw: { pan } });
      expect(reported.headers).to.include({ 'svc-guard': 'leak' });
      expect((await resultOf({ response_guard: 'mask' })).json).to.deep.equal({ raw: { pan: stars } });
      expect((await resultOf({ response_guard: 'refuse' })).status).to.equal(502);
    });
  });
});
