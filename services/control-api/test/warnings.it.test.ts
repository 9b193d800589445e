import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { type Sent, type TestApi, startTestApi } from './harness/api.ts';

const minimal = { name: 'ledger', destination_url: 'https://ledger.example.com/api' };
const misspelt = { ...minimal, request_tranform: { code: 'module.exports = async (req) => req.args' } };
const strict = { 'SVC-Strict': 'true' };
const hint = 'unknown property request_tranform, did you mean request_transform?';

/** What a request holds and nobody reads is probably a mistake: it is accepted, and told. */
describe('a request with names that are unknown', () => {
  let api: TestApi;
  before(async () => {
    api = await startTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  const warnings = async (request: string, sent?: Sent) => {
    const { status, headers } = await api.send(request, sent);
    expect(headers.get('bt-warning')).to.equal(headers.get('svc-warning'));
    return { status, list: headers.get('svc-warning') };
  };

  it('is accepted, and the answer says which, and what was probably meant', async () => {
    expect(await warnings('POST /proxies', { body: misspelt })).to.deep.equal({
      status: 201,
      list: `"${hint}"`,
    });
    const rules = [
      {
        description: 'a',
        priority: 1,
        container: '/',
        transform: 'mask',
        permissions: ['token:read'],
        permisions: [],
      },
    ];
    const body = { name: 'a', type: 'private', rules, requireAuth: true };
    expect(await warnings('POST /applications', { body })).to.deep.equal({
      status: 201,
      list: '"unknown property rules[0].permisions, did you mean permissions?", "unknown property requireAuth"',
    });
  });

  it('may be a list with parameters', async () => {
    expect(await warnings('GET /proxies?nmae=a&size=1')).to.deep.equal({
      status: 200,
      list: '"unknown parameter nmae, did you mean name?"',
    });
    expect(await warnings('GET /proxies?name=a&size=1&page=1&id=')).to.deep.equal({
      status: 200,
      list: null,
    });
  });

  it('is reported also where it is refused, often because of them', async () => {
    const { name: _, ...rest } = minimal;
    const answer = await api.send('POST /proxies', { body: { ...rest, nmae: 'a' } });
    expect(answer.status).to.equal(400);
    expect(answer.body.errors).to.have.property('name');
    expect(answer.headers.get('svc-warning')).to.equal('"unknown property nmae, did you mean name?"');
  });

  it('is refused where the caller is strict, every field named, and nothing is done', async () => {
    const count = async () => (await api.send('GET /proxies')).body.pagination.total_items;
    const before = await count();
    for (const headers of [strict, { 'BT-Strict': 'true' }]) {
      const answer = await api.send('POST /proxies?x=1', { body: { ...misspelt, tags: [] }, headers });
      expect(answer.status).to.equal(400);
      expect(answer.body.errors).to.deep.equal({
        x: ['is unknown'],
        request_tranform: ['is unknown, did you mean request_transform?'],
        tags: ['is unknown'],
      });
      expect(answer.headers.get('svc-warning')).to.equal(null);
    }
    expect(await count()).to.equal(before);
    expect((await api.send('POST /proxies', { body: minimal, headers: strict })).status).to.equal(201);
    expect(
      (await api.send('POST /proxies', { body: misspelt, headers: { 'SVC-Strict': 'false' } })).status,
    ).to.equal(201);
  });

  it('says true or false of being strict, and the same under both names', async () => {
    for (const headers of [
      { 'SVC-Strict': 'yes' },
      { 'SVC-Strict': '' },
      { 'SVC-Strict': 'true', 'BT-Strict': 'false' },
    ]) {
      expect((await api.send('GET /proxies', { headers })).status).to.equal(400);
    }
  });

  it('is given the same warnings again with its answer', async () => {
    const headers = { 'SVC-IDEMPOTENCY-KEY': randomUUID() };
    const first = await api.send('POST /proxies', { body: misspelt, headers });
    const second = await api.send('POST /proxies', { body: misspelt, headers });
    expect(second.headers.get('svc-idempotent-replay')).to.equal('true');
    expect(second.body).to.deep.equal(first.body);
    for (const answer of [first, second]) expect(answer.headers.get('svc-warning')).to.equal(`"${hint}"`);
  });

  it('gets nothing of them into a header but printable ASCII of a bounded length', async () => {
    const names = [
      'a"b\\c',
      'ü\r\nSet-Cookie: x',
      ...Array.from({ length: 20 }, (_, at) => `${'z'.repeat(1000)}${at}`),
    ];
    const body = { ...minimal, ...Object.fromEntries(names.map((name) => [name, 1])) };
    const { status, list } = await warnings('POST /proxies', { body });
    expect(status).to.equal(201);
    const start = String.raw`"unknown property a\"b\\c", "unknown property ???Set-Cookie: x", `;
    expect(list?.slice(0, start.length)).to.equal(start);
    expect(list)
      .to.match(/, "and more"$/)
      .and.to.have.length.below(3000);
  });

  it('has none where a resource is sent back as it was shown, or is a patch of it', async () => {
    const application = (await api.send('GET /applications/key', { key: api.tenant.privateKey })).body;
    const proxy = (
      await api.send('POST /proxies', { body: { ...minimal, application, configuration: { any: 'thing' } } })
    ).body;
    const { body: shown } = await api.send(`GET /proxies/${proxy.id}`);
    const put = { body: { ...shown, application }, headers: strict };
    expect((await api.send(`PUT /proxies/${proxy.id}`, put)).status).to.equal(200);
    const patch = { ...shown, application, configuration: null };
    const merge = { ...strict, 'Content-Type': 'application/merge-patch+json' };
    expect((await api.send(`PATCH /proxies/${proxy.id}`, { body: patch, headers: merge })).status).to.equal(
      204,
    );
    const put2 = { body: application, headers: strict };
    expect((await api.send(`PUT /applications/${application.id}`, put2)).status).to.equal(200);
  });
});
