import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { type Sent, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { type System, sharedSystem } from '../harness/system.ts';

const strict = { 'SVC-Strict': 'true' };

/** docs/warnings.md, on the data plane. */
describe('what is probably a mistake in a request', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  const send = async (request: string, sent: Sent = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const answer = await api.send(method, path, { key: system.dev.private_api_key, ...sent });
    expect(answer.headers['bt-warning']).to.equal(answer.headers['svc-warning']);
    return { ...answer, list: answer.headers['svc-warning'] };
  };

  it('is in a header of the answer: a property that is unknown, by its path', async () => {
    const body = {
      type: 'token',
      data: { any: 'thing' },
      metdata: { a: 'b' },
      privacy: { clasification: 'pci' },
    };
    const made = await send('POST /tokens', { body });
    expect(made.status).to.equal(201);
    expect(made.list).to.equal(
      '"unknown property metdata, did you mean metadata?", "unknown property privacy.clasification, did you mean classification?"',
    );
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await send(`PATCH /tokens/${made.json.id}`, { body: { dta: 'b' }, headers });
    expect([patched.status, patched.list]).to.deep.equal([200, '"unknown property dta, did you mean data?"']);
  });

  it('is in a header of lists too: a parameter that is unknown', async () => {
    const listed = await send('GET /tokens?contaner=%2Fpci%2F&metadata.any=b&size=1');
    expect([listed.status, listed.list]).to.deep.equal([
      200,
      '"unknown parameter contaner, did you mean container?"',
    ]);
  });

  it('is in a header of a refusal, and readable by pages in browsers', async () => {
    const refused = await send('POST /tokens', {
      body: { type: 'token', dat: 'a' },
      headers: { Origin: 'https://a.example' },
    });
    expect([refused.status, refused.list]).to.deep.equal([400, '"unknown property dat, did you mean data?"']);
    expect(refused.headers['access-control-expose-headers']).to.equal('*');
  });

  it('is refused to a strict caller, every place named, before anything is done', async () => {
    const id = `strict-${randomUUID()}`;
    const body = { id, type: 'token', data: 'a', metdata: {}, x: 1 };
    for (const headers of [strict, { 'BT-Strict': 'true' }]) {
      const { status, json } = await send('POST /tokens?y=1', { body, headers });
      expect(status).to.equal(400);
      expect(json.errors).to.deep.equal({ y: ['is unknown'] });
    }
    const { status, json } = await send('POST /tokens', { body, headers: strict });
    expect([status, json.errors]).to.deep.equal([
      400,
      { metdata: ['is unknown, did you mean metadata?'], x: ['is unknown'] },
    ]);
    expect((await send(`GET /tokens/${id}`)).status).to.equal(404);
    expect(
      (await send('POST /tokens', { body: { type: 'token', data: 'a' }, headers: strict })).status,
    ).to.equal(201);
  });

  it('is nothing in what is free-form', async () => {
    const data = { anything: [{ at: 'all' }] };
    const { id } = (
      await send('POST /tokens', {
        body: { type: 'token', data, metadata: { any: 'b' }, mask: { x: 'y' } },
        headers: strict,
      })
    ).json;
    const free: readonly [string, object][] = [
      ['POST /tokenize', { anything: [{ type: 'token', data }] }],
      ['POST /detokenize', { anything: `{{ ${id} }}` }],
    ];
    for (const [request, body] of free) {
      const { status, list } = await send(request, { body, headers: strict });
      expect([status, list], request).to.deep.equal([200, undefined]);
    }
  });

  it('is given for sessions and reactors, but not for the arguments of a reactor', async () => {
    const { nonce } = (await send('POST /sessions', { key: system.dev.public_api_key })).json;
    const session = await send('POST /sessions/authorize', {
      body: { nonce, permissions: ['token:create'], expire_at: '' },
    });
    expect(session.list).to.equal('"unknown property expire_at, did you mean expires_at?"');
    const { id } = await createReactor(api, 'async (req) => ({ raw: req.args })', {
      parameters: { 'a?': 'string' },
    });
    const react = (body: object, headers = {}) => send(`POST /reactors/${id}/react`, { body, headers });
    const ran = await react({ args: { a: 'b', undeclared: 1 }, arg: 1, timeoutMs: 1 });
    expect([ran.status, ran.list]).to.deep.equal([200, '"unknown property arg, did you mean args?"']);
    const key = { 'SVC-IDEMPOTENCY-KEY': randomUUID() };
    await react({ args: {}, arg: 1 }, key);
    const again = await react({ args: {}, arg: 1 }, key);
    expect(again.headers['svc-idempotent-replay']).to.equal('true');
    expect(again.list).to.equal('"unknown property arg, did you mean args?"');
    expect((await react({ arg: 1 }, strict)).json.errors).to.have.property('arg');
  });

  it('is no matter of a proxied request, whose parameters and body are the destination’s', async () => {
    const { key } = await api.proxy(destination.url);
    const headers = { ...strict, 'SVC-PROXY-KEY': key };
    const { status, list } = await send('POST /proxy/x?any=thing', { body: { any: 'thing' }, headers });
    expect([status, list]).to.deep.equal([200, undefined]);
    expect(destination.received.at(-1)?.headers).to.not.have.any.keys('svc-strict', 'bt-strict');
  });

  describe('a path of json that selects nothing', () => {
    const warning = '"the path $.nmuber of json selects nothing"';
    const problems = { expressions: ['the path $.nmuber of json selects nothing'] };
    let expression: string;
    before(async () => {
      const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2050 };
      expression = `{{ ${await api.token({ type: 'card', data })} | json: '$.nmuber' }}`;
    });

    it('is null with a warning, or refused, at /detokenize', async () => {
      const told = await send('POST /detokenize', { body: { a: expression, b: expression } });
      expect([told.status, told.json, told.list]).to.deep.equal([200, { a: null, b: null }, warning]);
      const refused = await send('POST /detokenize', { body: { a: expression }, headers: strict });
      expect([refused.status, refused.json.errors]).to.deep.equal([400, problems]);
    });

    it('the same at /proxy, where a strict request reaches no destination', async () => {
      const { key } = await api.proxy(destination.url);
      const headers = { 'SVC-PROXY-KEY': key };
      const told = await send('POST /proxy', { body: { a: expression }, headers });
      expect([told.status, told.list]).to.deep.equal([200, warning]);
      expect(destination.received.at(-1)?.headers).to.not.have.any.keys('svc-warning', 'bt-warning');
      const { length } = destination.received;
      const refused = await send('POST /proxy', {
        body: { a: expression },
        headers: { ...headers, ...strict },
      });
      expect([refused.status, refused.json.proxy_error.errors]).to.deep.equal([400, problems]);
      expect(destination.received).to.have.length(length);
    });

    it('the same in the arguments of a reactor, whose code then does not run', async () => {
      const { id } = await createReactor(api, 'async (req) => ({ raw: req.args })', {
        parameters: { 'a?': 'string' },
      });
      for (const [verb, status] of [
        ['react', 200],
        ['react-async', 202],
      ] as const) {
        const path = `POST /reactors/${id}/${verb}`;
        const told = await send(path, { body: { args: { a: expression } } });
        expect([told.status, told.list], told.text).to.deep.equal([status, warning]);
        const refused = await send(path, { body: { args: { a: expression } }, headers: strict });
        expect([refused.status, refused.json.errors]).to.deep.equal([400, problems]);
      }
    });
  });

  it('cannot be anything but true or false, on any address', async () => {
    const { key } = await api.proxy(destination.url);
    const odd = { 'SVC-Strict': 'perhaps' };
    expect((await send('GET /tokens', { headers: odd })).json.errors).to.have.property('SVC-STRICT');
    const proxied = await send('POST /proxy', { body: {}, headers: { ...odd, 'SVC-PROXY-KEY': key } });
    expect(proxied.status).to.equal(400);
    expect(proxied.json.proxy_error.errors).to.have.property('SVC-STRICT');
    const twice = { 'SVC-Strict': 'true', 'BT-Strict': 'false' };
    expect((await send('GET /tokens', { headers: twice })).status).to.equal(400);
  });
});
