import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

const card = { number: '4242424242424242', expiration_month: 4, expiration_year: 2028, cvc: '123' };
const secret = 'config-secret-4711';
const dry = { 'SVC-Dry-Run': 'true' };

/** contract/dry-runs.md#dry-runs, through the edge and over the whole system. */
describe('a dry run', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  let token: string;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
    token = await api.token({ type: 'card', data: card });
  });
  after(() => destination[Symbol.asyncDispose]());

  const stepOf = ({ steps }: Json, name: string) => steps.find((step: Json) => step.name === name);
  const logOf = async (): Promise<Json[]> => (await api.manage('GET', '/logs?size=100')).json.data;
  const expectNoValue = (text: string) => {
    for (const value of [card.number, card.cvc, secret]) expect(text).to.not.include(`"${value}"`);
    expect(text).to.not.include(card.number);
    expect(text).to.not.include(secret);
  };

  describe('of a proxy', () => {
    const code = `module.exports = async ({ args, configuration, bt }) => {
      console.log(args.body.card.number.length, configuration.KEY.length);
      const failed = await new Promise((resolve) => require('http')
        .get('http://127.0.0.1:1/', () => resolve('no')).on('error', () => resolve('yes')));
      return { headers: { ...args.headers, 'X-Key': configuration.KEY }, body: { ...args.body, failed } };
    };`;
    const body = () => ({
      card: `{{ ${token} }}`,
      last: `x {{ ${token} | json: '$.number' | last4 }}`,
      plain: 1,
    });
    const run = async (proxy: Json, sent: Json = {}): Promise<Json> => {
      const answer = await api.invoke(proxy.key, 'POST', '/charges?a=1', {
        body: body(),
        ...sent,
        headers: dry,
      });
      expect(answer.status, answer.text).to.equal(200);
      return answer.json;
    };

    it('says what would be sent, with stand-ins, and sends, records and reports nothing', async () => {
      const proxy = await api.proxy(destination.url, {
        configuration: { KEY: secret },
        request_transform: { code },
        require_auth: true,
      });
      const before = await logOf();
      const answer = await run(proxy);
      expectNoValue(JSON.stringify(answer));
      expect(answer).to.deep.include({
        dry_run: true,
        outcome: 'would_send',
        subject: { type: 'proxy', id: proxy.id, version: 1 },
      });
      expect(answer.steps.map(({ name }: Json) => name)).to.deep.equal([
        'resolve',
        'authorize',
        'detokenize',
        'transform',
        'egress',
      ]);
      const [whole, last] = stepOf(answer, 'detokenize').expressions;
      expect(whole).to.deep.include({ place: '/body/card', token_id: token, decision: 'allowed' });
      expect(last).to.deep.include({ place: '/body/last', container: '/pci/high/' });
      expect(last.stand_in).to.equal(whole.stand_in.number.slice(-4));
      const sent = JSON.parse(answer.request.body);
      expect(sent).to.deep.equal({
        card: whole.stand_in,
        last: `x ${last.stand_in}`,
        plain: 1,
        failed: 'yes',
      });
      expect(answer.request).to.include({ method: 'POST', url: `${destination.url}/charges?a=1` });
      expect(answer.request.headers['X-Key']).to.have.length(secret.length);
      const { log, tried_to_reach: tried, changes } = stepOf(answer, 'transform');
      expect(log[0].text).to.equal(`16 ${secret.length}`);
      expect(tried).to.deep.equal(['127.0.0.1:1']);
      expect(changes).to.deep.include({ op: 'add', path: '/body/failed', value: 'yes' });
      expect(stepOf(answer, 'egress')).to.deep.include({
        allowed: true,
        host: new URL(destination.url).host,
      });
      expect(destination.received).to.deep.equal([]);
      expect((await logOf()).map(({ id }) => id)).to.deep.equal(before.map(({ id }) => id));

      const real = await api.invoke(proxy.key, 'POST', '/charges', { body: body() });
      expect(real.status, real.text).to.equal(200);
      const [got] = destination.received.splice(0);
      expect(JSON.parse(got!.body.toString()).card).to.deep.equal(card);
    });

    it('says token by token why it would be refused, and gives a denied one no stand-in', async () => {
      const rules = [
        {
          description: 'no cards',
          priority: 3,
          container: '/general/',
          transform: 'reveal',
          permissions: ['token:use'],
        },
      ];
      const { key } = await api.application({ name: 'few', type: 'private', rules });
      const proxy = await api.proxy(destination.url);
      const answer = await run(proxy, { key });
      expect(answer.outcome).to.equal('refused');
      expect(answer.error).to.include({ status: 403, code: 'permission_denied' });
      const [first] = stepOf(answer, 'detokenize').expressions;
      expect(first).to.deep.equal({
        expression: token,
        place: '/body/card',
        token_id: token,
        container: '/pci/high/',
        decision: 'denied',
        reason: 'outside_scope',
      });
      expect(stepOf(answer, 'transform')).to.equal(undefined);
      expect(answer).to.not.have.property('request');
    });

    it('needs a key, also of a proxy for anonymous requests', async () => {
      const proxy = await api.proxy(destination.url, { require_auth: false });
      const headers = { ...dry, 'SVC-PROXY-KEY': proxy.key };
      const refused = await api.send('POST', '/proxy', { headers, body: {} });
      expect(refused.status).to.equal(401);
      expect((await run(proxy)).outcome).to.equal('would_send');
      expect(destination.received).to.deep.equal([]);
    });

    it('says where code fails, and what it would answer by itself', async () => {
      const fails = await api.proxy(destination.url, {
        request_transform: { code: 'module.exports = async (req) => {\n  throw new TypeError("no");\n};' },
      });
      const failed = await run(fails);
      expect(failed).to.deep.include({ outcome: 'refused' });
      expect(stepOf(failed, 'transform').error).to.include({ name: 'TypeError', line: 2 });
      const answers = await api.proxy(destination.url, {
        request_transform: {
          code: `const { CustomHttpResponseError } = require('@glovebox/reactor-errors');
            module.exports = async () => { throw new CustomHttpResponseError({ status: 202, body: { a: 1 } }); };`,
        },
      });
      expect(await run(answers)).to.deep.include({
        outcome: 'would_return',
        result: { status: 202, headers: {}, body: { a: 1 } },
      });
    });

    it('makes no token of a transform, and evaluates headers as they would be sent', async () => {
      const type = 'tokenize';
      const options = {
        identifier: 'made',
        token: { type: 'token', data: '{{ proxy.request.body }}', id: 'dry-run-made' },
      };
      const proxy = await api.proxy(destination.url, {
        configuration: { KEY: secret },
        request_transforms: [{ type, options }],
      });
      const headers = { ...dry, Authorization: 'Bearer {{ config: KEY }}' };
      const answer = await api.invoke(proxy.key, 'POST', '', { body: { a: 1 }, headers });
      expect(answer.json.outcome, answer.text).to.equal('would_send');
      expectNoValue(answer.text);
      const { Authorization: sent } = answer.json.request.headers;
      expect(sent).to.match(/^Bearer [a-z]{6}-[a-z]{6}-\d{4}$/);
      const places = stepOf(answer.json, 'detokenize').expressions.map(({ place }: Json) => place);
      expect(places).to.include('/headers/Authorization');
      const read = await api.send('GET', '/tokens/dry-run-made', { key: system.dev.private_api_key });
      expect(read.status).to.equal(404);
    });

    it('is asked for by true alone, and refused where there is none', async () => {
      const proxy = await api.proxy(destination.url);
      for (const value of ['yes', '1', '', 'TRUE']) {
        const answer = await api.invoke(proxy.key, 'POST', '', {
          body: {},
          headers: { 'BT-Dry-Run': value },
        });
        expect(answer.status, value).to.equal(400);
        expect(answer.json.proxy_error.errors).to.have.all.keys('SVC-DRY-RUN');
      }
      expect(destination.received).to.deep.equal([]);
      for (const [path, key] of [
        ['/tokens', system.dev.private_api_key],
        ['/proxies', system.dev.management_api_key],
      ] as const) {
        const model = { type: 'token', data: 1, name: 'p', destination_url: destination.url };
        const answer = await api.send('POST', path, { key, headers: { 'BT-Dry-Run': 'true' }, body: model });
        expect(answer.status, path).to.equal(400);
        expect(answer.json.errors).to.have.all.keys('SVC-DRY-RUN');
      }
      const real = await api.invoke(proxy.key, 'POST', '', { body: {}, headers: { 'SVC-Dry-Run': 'false' } });
      expect(real.status).to.equal(200);
      expect(destination.received.splice(0)).to.have.length(1);
    });
  });

  describe('of a reactor', () => {
    const run = async (reactor: Json, args: unknown, more: object = {}): Promise<Json> => {
      const key = system.dev.private_api_key;
      const sent = { key, headers: { 'BT-Dry-Run': 'true' }, body: { args, ...more } };
      const answer = await api.send('POST', `/reactors/${reactor.id}/react`, sent);
      expect(answer.status, answer.text).to.equal(200);
      return answer.json;
    };
    const reactorOf = async (code: string, more: object = {}): Promise<Json> => {
      const made = await api.manage('POST', '/reactors', { name: 'dry', code, ...more });
      expect(made.status, made.text).to.equal(201);
      return made.json;
    };

    it('says what would be returned, with stand-ins, and makes no token', async () => {
      const { id } = await api.application({ name: 'a', type: 'private', permissions: ['token:create'] });
      const reactor = await reactorOf(
        `module.exports = async ({ args, configuration, bt }) => {
          const made = await bt.tokens.create({ type: 'token', data: 1 }).catch(({ status }) => status);
          return { raw: { got: args.card, made, key: configuration.KEY }, tokenize: { again: args.card.number } };
        };`,
        { configuration: { KEY: secret }, application: { id } },
      );
      const answer = await run(reactor, { card: `{{ ${token} }}` });
      expectNoValue(JSON.stringify(answer));
      const [{ stand_in: standIn, place }] = stepOf(answer, 'detokenize').expressions;
      expect(place).to.equal('/args/card');
      expect(answer).to.deep.include({ dry_run: true, outcome: 'would_return' });
      expect(answer.result.raw).to.deep.include({ got: standIn, made: 403 });
      expect(answer.result.tokenize).to.deep.equal({ again: standIn.number });
      expect(stepOf(answer, 'transform').tried_to_reach).to.deep.equal(['bt POST /tokens']);
    });

    it('keeps its code apart from what production has seen', async () => {
      const reactor = await reactorOf(
        'let seen = []; module.exports = async ({ args }) => { seen.push(args.n); return { raw: seen }; };',
      );
      const key = system.dev.private_api_key;
      await api.send('POST', `/reactors/${reactor.id}/react`, {
        key,
        body: { args: { n: `{{ ${token} }}` } },
      });
      const { result } = await run(reactor, { n: 2 });
      expect(result.raw).to.deep.equal([2]);
    });

    it('is refused where there is none, and where the caller may not invoke it', async () => {
      const reactor = await reactorOf('module.exports = async () => ({})');
      const key = system.dev.private_api_key;
      const later = await api.send('POST', `/reactors/${reactor.id}/react-async`, {
        key,
        headers: dry,
        body: {},
      });
      expect(later.status).to.equal(400);
      const { key: reader } = await api.application({
        name: 'r',
        type: 'private',
        permissions: ['token:read'],
      });
      const sent = { key: reader, headers: dry, body: {} };
      expect((await api.send('POST', `/reactors/${reactor.id}/react`, sent)).status).to.equal(403);
    });
  });
});
