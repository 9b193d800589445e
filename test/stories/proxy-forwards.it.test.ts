import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** contract/proxies.md#invocation and contract/proxies.md#authentication-of-invocations. */
describe('a proxied request', () => {
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

  const only = () => {
    expect(destination.received).to.have.length(1);
    return destination.received[0]!;
  };

  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'POST']) {
    it(`is forwarded with the method ${method}`, async () => {
      const { key } = await api.proxy(destination.url);
      const sent = method === 'GET' || method === 'DELETE' ? {} : { body: { plain: true } };
      expect((await api.invoke(key, method, '', sent)).status).to.equal(200);
      expect(only()).to.include({ method, url: '/' });
    });
  }

  it('is refused for any other method, with the methods that there are', async () => {
    const { key } = await api.proxy(destination.url);
    const answer = await api.invoke(key, 'OPTIONS', '');
    expect(answer.status).to.equal(405);
    expect(answer.headers['allow']).to.equal('POST, GET, PUT, PATCH, DELETE');
    expect(answer.json.proxy_error).to.include({ status: 405 });
    expect(destination.received).to.have.length(0);
  });

  it('that reaches nobody says where it went, but for callers without a key and where the caller named it', async () => {
    const { url } = destination;
    const { host } = new URL(url);
    await destination[Symbol.asyncDispose]();
    const { key } = await api.proxy(`${url}/secret/path?key=secret`, { require_auth: false });
    const refused = async (answer: ReturnType<typeof api.send>) => {
      const { status, json } = await answer;
      expect([status, json.proxy_error.code]).to.deep.equal([502, 'bad_gateway']);
      return json.proxy_error.detail;
    };
    expect(await refused(api.invoke(key, 'GET', ''))).to.equal(
      `The destination ${host} refused the connection.`,
    );
    const unnamed = 'The destination refused the connection.';
    const anonymous = { headers: { 'SVC-PROXY-KEY': key } };
    expect(await refused(api.send('GET', '/proxy', anonymous))).to.equal(unnamed);
    const ephemeral = { key: system.dev.private_api_key, headers: { 'SVC-PROXY-URL': url } };
    expect(await refused(api.send('GET', '/proxy', ephemeral))).to.equal(unnamed);
    // A host that is a token's value is the same secret.
    const token = await api.token({ type: 'token', data: host });
    const sent = { body: { host: `{{${token}}}` } };
    expect(await refused(api.invoke(key, 'POST', '', sent))).to.equal(
      'The destination *** refused the connection.',
    );
  });

  describe('address', () => {
    const cases: readonly (readonly [base: string, path: string, url: string])[] = [
      ['', '', '/'],
      ['/api', '', '/api'],
      ['/api', '/', '/api'],
      ['/api/', '/', '/api'],
      ['/api/', '/foo/bar?param=v', '/api/foo/bar?param=v'],
      ['/api?own=1', '/x?b=2&a=1', '/api/x?own=1&b=2&a=1'],
      ['/api', '/a%2Fb/%20?q=%26&q=%E2%82%AC', '/api/a%2Fb/%20?q=%26&q=%E2%82%AC'],
      ['/api', '?only=query', '/api?only=query'],
    ];
    for (const [base, path, url] of cases) {
      it(`${base || '(root)'} + ${path || '(nothing)'} is ${url}`, async () => {
        const { key } = await api.proxy(destination.url + base);
        expect((await api.invoke(key, 'GET', path)).status).to.equal(200);
        expect(only().url).to.equal(url);
      });
    }

    it('never leaves the path of the destination', async () => {
      const { key } = await api.proxy(`${destination.url}/api/`);
      for (const path of ['/..%2fadmin', '/%2e%2e/admin', '/a/..%5cadmin', '//evil.example/']) {
        const answer = await api.invoke(key, 'GET', path);
        expect(answer.status, path).to.equal(400);
        expect(answer.json.proxy_error.title).to.equal('Invalid proxy request');
      }
      expect(destination.received).to.have.length(0);
    });
  });

  describe('proxy key', () => {
    it('may be in the query, is not passed on, and keeps the other parameters as they are', async () => {
      const { key } = await api.proxy(destination.url);
      for (const name of ['svc-proxy-key', 'bt-proxy-key', 'svc%2Dproxy%2Dkey']) {
        const path = `/proxy/q?b=%201&${name}=${key}&a=2`;
        const answer = await api.send('GET', path, { key: (await sharedSystem()).dev.private_api_key });
        expect(answer.status, name).to.equal(200);
        expect(destination.received.at(-1)?.url).to.equal('/q?b=%201&a=2');
      }
    });

    it('is taken from the header when both are there', async () => {
      const { key } = await api.proxy(destination.url);
      expect((await api.invoke(key, 'GET', '/?svc-proxy-key=another')).status).to.equal(200);
      expect(only().url).to.equal('/');
    });

    it('that is missing is a 400, one that is unknown a 404, both wrapped', async () => {
      const { dev } = await sharedSystem();
      const missing = await api.send('GET', '/proxy', { key: dev.private_api_key });
      expect(missing.status).to.equal(400);
      expect(missing.json.proxy_error.status).to.equal(400);
      const unknown = await api.invoke('nosuchkey', 'GET', '');
      expect(unknown.status).to.equal(404);
      expect(unknown.json.proxy_error.status).to.equal(404);
    });
  });

  describe('caller', () => {
    it('needs an API key where the proxy requires one', async () => {
      const { key } = await api.proxy(destination.url);
      for (const apiKey of ['', 'key_1111111111111111111111', 'no key at all', 'k'.repeat(500)]) {
        const answer = await api.invoke(key, 'GET', '', { key: apiKey });
        expect(answer.status, apiKey).to.equal(401);
        expect(answer.json.proxy_error).to.include({ status: 401, title: 'Unauthorized' });
      }
      expect(destination.received).to.have.length(0);
    });

    it('needs token:use even when nothing is detokenized', async () => {
      const { dev } = await sharedSystem();
      const { key } = await api.proxy(destination.url);
      const answer = await api.invoke(key, 'GET', '', { key: dev.public_api_key });
      expect(answer.status).to.equal(403);
      expect(answer.json.proxy_error).to.include({ status: 403, title: 'Forbidden' });
      expect(destination.received).to.have.length(0);
    });

    it('learns which kind of key it needs, where its own can never do it', async () => {
      const { dev } = await sharedSystem();
      const { key } = await api.proxy(destination.url);
      const invoked = await api.invoke(key, 'GET', '', { key: dev.management_api_key });
      expect(invoked.json.proxy_error.detail).to.equal(
        'The permission token:use is required. Only a private application can hold it, and this is the key of a management application.',
      );
      const read = await api.send('GET', '/tokens', { key: dev.management_api_key });
      expect([read.status, read.json.detail]).to.deep.equal([
        403,
        'A management application cannot use tokens. Send the key of a private application, or of a public one.',
      ]);
      const managed = await api.send('GET', '/proxies', { key: dev.private_api_key });
      expect([managed.status, managed.json.detail]).to.deep.equal([
        403,
        'The permission proxy:read is required. Only a management application can hold it, and this is the key of a private application.',
      ]);
    });

    it('needs token:use in any view, and one that reveals only for what is detokenized', async () => {
      const id = await api.token({ type: 'token', data: 'never sent' });
      const made = await api.proxy(destination.url);
      for (const transform of ['redact', 'mask']) {
        const rules = [{ priority: 1, container: '/', transform, permissions: ['token:use'] }];
        const { key } = await api.application({ name: 'masked', type: 'private', permissions: [], rules });
        expect((await api.invoke(made.key, 'POST', '', { key, body: { a: 1 } })).status).to.equal(200);
        const refused = await api.invoke(made.key, 'POST', '', { key, body: { a: `{{${id}}}` } });
        expect([refused.status, refused.json.proxy_error.title]).to.deep.equal([403, 'Forbidden']);
      }
      expect(destination.received).to.have.length(2);
    });

    it('may be anybody where the proxy allows it, but then uses no tokens', async () => {
      const id = await api.token({ type: 'token', data: 'for nobody' });
      const { key } = await api.proxy(destination.url, { require_auth: false });
      const anonymous = { headers: { 'SVC-PROXY-KEY': key } };
      expect((await api.send('POST', '/proxy', { ...anonymous, body: { a: 1 } })).status).to.equal(200);
      const answer = await api.send('POST', '/proxy', { ...anonymous, body: { a: `{{${id}}}` } });
      expect(answer.status).to.equal(401);
      expect(answer.json.proxy_error.status).to.equal(401);
      expect(destination.received).to.have.length(1);
    });

    it('uses tokens through an anonymous proxy with an API key of its own', async () => {
      const id = await api.token({ type: 'token', data: 'value' });
      const { key } = await api.proxy(destination.url, { require_auth: false });
      expect((await api.invoke(key, 'POST', '', { body: { a: `{{${id}}}` } })).status).to.equal(200);
      expect(String(only().body)).to.equal('{"a":"value"}');
    });
  });

  describe('headers', () => {
    it('reach the destination as they were spelled, without those that are the service’s own', async () => {
      const { key } = await api.proxy(destination.url);
      await api.invoke(key, 'POST', '', {
        headers: {
          Authorization: 'Bearer dest',
          'X-Mixed-CASE': 'a',
          under_score: 'b',
          'BT-CLIENT-USER-AGENT': '{}',
          'SVC-TRACE-ID': 'trace-1',
          TE: 'trailers',
        },
        body: { a: 1 },
      });
      const { rawHeaders, headers } = only();
      expect(rawHeaders).to.include.members(['Authorization', 'X-Mixed-CASE', 'under_score', 'SVC-TRACE-ID']);
      expect(headers).to.include({ authorization: 'Bearer dest', 'svc-trace-id': 'trace-1' });
      expect(headers.host).to.equal(new URL(destination.url).host);
      const names = Object.keys(headers);
      for (const name of ['svc-api-key', 'svc-proxy-key', 'bt-client-user-agent', 'te']) {
        expect(names).to.not.include(name);
      }
    });

    it('with other characters than letters, digits, - and _ are discarded', async () => {
      const { key } = await api.proxy(destination.url);
      await api.invoke(key, 'GET', '', {
        headers: { 'x.dotted': '1', 'x!bang': '2', 'x~tilde': '3', 'x-kept': '4' },
      });
      const names = Object.keys(only().headers);
      expect(names).to.include('x-kept');
      expect(names.filter((name) => /[^a-z0-9_-]/.test(name))).to.deep.equal([]);
    });
  });
});
