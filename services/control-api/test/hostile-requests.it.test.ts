import { expect } from 'chai';

import { type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem, sendBytes } from './harness/hostile.ts';

const good = { name: 'x', destination_url: 'https://example.com' };

describe('hostile requests', () => {
  let api: TestApi;

  before(async () => {
    api = await startTestApi();
  });

  after(() => api[Symbol.asyncDispose]());

  const ids = [
    'x',
    '1',
    'null',
    '7d9f8a52-0000-4000-8000-00000000000',
    '%00',
    "';--",
    '..%2f..',
    'a'.repeat(4000),
  ];
  for (const id of ids) {
    it(`the id ${id.slice(0, 40)} is a 404`, async () => {
      for (const request of [
        `GET /proxies/${id}`,
        `DELETE /applications/${id}`,
        `PUT /proxies/${id}`,
        `GET /reactors/${id}`,
        `PUT /reactors/${id}`,
        `DELETE /reactor-formulas/${id}`,
      ]) {
        expectProblem(await api.send(request, { body: request.startsWith('PUT') ? good : undefined }), 404);
      }
    });
  }

  it('a path that is no percent-encoding is a 400', async () => {
    expectProblem(await api.send('GET /proxies/%E0%A4%A'), 400);
  });

  it('unknown routes are a 404, other methods a 405 that names the allowed ones', async () => {
    for (const path of ['/', '/nope', '/proxies/x/y', '/Proxies', '//proxies', '/tenants', '/reactors.php']) {
      expectProblem(await api.send(`GET ${path}`), 404);
    }
    const answer = await api.send('PATCH /proxies');
    expectProblem(answer, 405);
    expect(answer.headers.get('allow')).to.equal('POST, GET, HEAD');
    expect((await api.send('POST /applications/key')).headers.get('allow')).to.equal('GET, HEAD');
    expectProblem(await api.send('OPTIONS /proxies'), 405);
  });

  it('HEAD answers like GET, without a body', async () => {
    const answer = await api.send('HEAD /proxies');
    expect([answer.status, answer.text]).to.deep.equal([200, '']);
  });

  it('every answer forbids keeping and guessing, and says nothing of what serves it', async () => {
    for (const request of ['GET /proxies', 'GET /nope', 'PATCH /proxies']) {
      const { headers } = await api.send(request);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.has('x-powered-by') || headers.has('server') || headers.has('etag')).to.equal(false);
    }
  });

  it('a correlation id comes back as it was sent; one that cannot be passed on is replaced', async () => {
    const sent = async (headers: Record<string, string>) =>
      (await api.send('GET /nope', { headers })).headers.get('svc-trace-id');
    expect(await sent({ 'SVC-TRACE-ID': 'order 42/a' })).to.equal('order 42/a');
    expect(await sent({ 'bt-trace-id': 'abc' })).to.equal('abc');
    const generated = /^[0-9a-f-]{36}$/;
    expect(await sent({})).to.match(generated);
    expect(await sent({ 'SVC-TRACE-ID': 'x'.repeat(201) })).to.match(generated);
    expect(await sent({ 'SVC-TRACE-ID': 'ü' })).to.match(generated);
  });

  const notHttp: readonly [why: string, bytes: string, status: number][] = [
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a header of 100 KB', `GET /proxies HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    [
      'two lengths',
      'POST /proxies HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    [
      'a length and chunks',
      'POST /proxies HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      400,
    ],
    ['no host', 'GET /proxies HTTP/1.1\r\n\r\n', 400],
  ];
  for (const [why, bytes, status] of notHttp) {
    it(`${why} is a ${status}, and the connection is closed`, async () => {
      expect(await sendBytes(api, bytes)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    });
  }

  it('a key in the query is not taken for the header', async () => {
    const answer = await api.send(`GET /proxies?svc-api-key=${api.tenant.managementKey}`, { key: null });
    expectProblem(answer, 401);
  });
});
