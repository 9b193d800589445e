import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { sendRaw } from '../harness/raw-http.ts';
import { sharedSystem } from '../harness/system.ts';

/** interface.md sections 4.7, 5 and 7.2; what transforms do is in transforms.test.ts. */
describe('a proxied request', () => {
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    api = apiOf(await sharedSystem());
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
    it('may stand in the query, is not passed on, and keeps the other parameters as they are', async () => {
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

  describe('body', () => {
    const bodies: readonly (readonly [what: string, type: string, sent: string, arrives: string])[] = [
      [
        'nested JSON',
        'application/json',
        '{"a":[{"b":"{{ID}}"}],"n":1e400}',
        '{"a":[{"b":"v\\"1"}],"n":1e400}',
      ],
      ['mixed text in JSON', 'application/json', '{"a":"<{{ID}}|{{ ID }}>"}', '{"a":"<v\\"1|v\\"1>"}'],
      ['a +json type', 'application/vnd.api+json', '["{{ID}}"]', '["v\\"1"]'],
      ['escaped braces in JSON', 'application/json', '["\\u007b{ID}}"]', '["v\\"1"]'],
      ['a form', 'application/x-www-form-urlencoded', 'a=1&b[c]=%7B%7BID%7D%7D', 'a=1&b[c]=v%221'],
      ['XML', 'application/xml', '<a>{{ID}}</a>', '<a>v"1</a>'],
      ['text', 'text/plain', 'x {{ID}} y', 'x v"1 y'],
      ['a type of its own', 'SALEM05210/SLM', '000{{ID}}000', '000v"1000'],
      [
        'keys of JSON, which are not evaluated',
        'application/json',
        '{"{{x}}":"{{ID}}"}',
        '{"{{x}}":"v\\"1"}',
      ],
    ];
    for (const [what, type, sent, arrives] of bodies) {
      it(`is detokenized in ${what}`, async () => {
        const id = await api.token({ type: 'token', data: 'v"1' });
        const { key } = await api.proxy(destination.url);
        const body = sent.replaceAll('ID', id);
        const answer = await api.invoke(key, 'POST', '', { headers: { 'Content-Type': type }, body });
        expect(answer.status, answer.text).to.equal(200);
        expect(String(only().body)).to.equal(arrives);
        expect(only().headers).to.include({
          'content-type': type,
          'content-length': String(Buffer.byteLength(arrives)),
        });
      });
    }

    it('takes a whole object, a number or null in place of a string that is one expression', async () => {
      const object = await api.token({ type: 'token', data: { a: [1, null, { b: 'c' }] } });
      const number = await api.token({ type: 'token', data: 12.5 });
      const { key } = await api.proxy(destination.url);
      const body = {
        o: `{{${object}}}`,
        n: `{{${number}}}`,
        z: `{{ ${object} | json: '$.missing' }}`,
        t: `-{{${object}}}`,
      };
      expect((await api.invoke(key, 'POST', '', { body })).status).to.equal(200);
      expect(JSON.parse(String(only().body))).to.deep.equal({
        o: { a: [1, null, { b: 'c' }] },
        n: 12.5,
        z: null,
        t: '-{"a":[1,null,{"b":"c"}]}',
      });
    });

    it('uses a card as the facts show it (api-facts 9.1)', async () => {
      const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };
      const id = await api.token({ type: 'card', data });
      const { key } = await api.proxy(`${destination.url}/api`);
      const answer = await api.invoke(key, 'POST', '/charges?ref=1', {
        headers: { Authorization: 'Bearer dest' },
        body: {
          pan: `{{ ${id} | json: '$.number' }}`,
          mm: `{{ ${id} | json: '$.expiration_month' | to_number }}`,
          card: `{{ ${id} }}`,
          note: `for {{ ${id} | json: '$.number' | last4 }}`,
        },
      });
      expect(answer.json).to.deep.equal({ ok: true });
      expect(only().url).to.equal('/api/charges?ref=1');
      expect(JSON.parse(String(only().body))).to.deep.equal({
        pan: '4242424242424242',
        mm: 12,
        card: data,
        note: 'for 4242',
      });
    });

    it('is found inside a Content-Encoding, and sent without it when it was changed', async () => {
      const id = await api.token({ type: 'token', data: 'plain' });
      const { key } = await api.proxy(destination.url);
      const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
      const changed = gzipSync(`{"a":"{{${id}}}"}`);
      expect((await api.invoke(key, 'POST', '', { headers, body: changed })).status).to.equal(200);
      expect(String(destination.received[0]?.body)).to.equal('{"a":"plain"}');
      expect(destination.received[0]?.headers).to.not.have.property('content-encoding');
      const kept = gzipSync('{"a":"no expression"}');
      expect((await api.invoke(key, 'POST', '', { headers, body: kept })).status).to.equal(200);
      expect(destination.received[1]?.body.equals(kept)).to.equal(true);
      expect(destination.received[1]?.headers).to.have.property('content-encoding', 'gzip');
    });

    it('of a binary type is passed on byte for byte, whatever stands in it', async () => {
      const { key } = await api.proxy(destination.url);
      const body = Buffer.from([0, 255, 0x7b, 0x7b, 0x61, 0x7d, 0x7d, 10, 13, 200]);
      const headers = { 'Content-Type': 'application/octet-stream' };
      expect((await api.invoke(key, 'POST', '', { headers, body })).status).to.equal(200);
      expect(only().body.equals(body)).to.equal(true);
    });

    it('of 50 MB without expressions streams through', async () => {
      const { key } = await api.proxy(destination.url);
      const body = Buffer.alloc(50 * 1024 * 1024, 'abcdefgh{ }');
      const headers = { 'Content-Type': 'text/plain' };
      expect((await api.invoke(key, 'POST', '', { headers, body })).status).to.equal(200);
      expect(only().body.equals(body)).to.equal(true);
    });

    it('too large to be searched is never delivered whole with an expression in it', async () => {
      const { key } = await api.proxy(destination.url);
      const body = Buffer.concat([Buffer.alloc(12 * 1024 * 1024, 'x'), Buffer.from('{{id}}')]);
      const answer = await api.invoke(key, 'POST', '', { headers: { 'Content-Type': 'text/plain' }, body });
      expect(answer.status).to.equal(413);
      expect(answer.json.proxy_error.status).to.equal(413);
      expect(destination.received).to.have.length(0);
    });
  });

  describe('response', () => {
    it('is raw, whatever the destination answers', async () => {
      const { key } = await api.proxy(destination.url);
      for (const status of [200, 201, 204, 301, 304, 400, 404, 418, 500, 503]) {
        destination.answer = (_request, response) => {
          response.writeHead(status, { 'X-Any.Name': 'v', Location: 'http://elsewhere.example/' });
          response.end(status === 204 || status === 304 ? undefined : '<raw>');
        };
        const answer = await api.invoke(key, 'GET', '');
        expect(answer.status).to.equal(status);
        expect(answer.text).to.equal(status === 204 || status === 304 ? '' : '<raw>');
        expect(answer.headers).to.include({
          'x-any.name': 'v',
          location: 'http://elsewhere.example/',
          'svc-proxy-destination-status': String(status),
        });
      }
    });

    it('keeps bytes, encodings and repeated headers, and lets nobody forge the service’s own', async () => {
      const { key } = await api.proxy(destination.url);
      const body = gzipSync('{"zipped":true}');
      destination.answer = (_request, response) => {
        response.writeHead(200, [
          ...['Content-Encoding', 'gzip', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
          ...[
            'SVC-PROXY-DESTINATION-STATUS',
            '999',
            'BT-TRACE-ID',
            'forged',
            'Content-Length',
            String(body.length),
          ],
        ]);
        response.end(body);
      };
      const { dev } = await sharedSystem();
      const answer = await fetch(`${api.base}/proxy`, {
        headers: { 'SVC-PROXY-KEY': key, 'SVC-API-KEY': dev.private_api_key, 'Accept-Encoding': 'gzip' },
      });
      expect(answer.headers.getSetCookie()).to.deep.equal(['a=1', 'b=2']);
      expect(answer.headers.get('content-encoding')).to.equal('gzip');
      expect(answer.headers.get('svc-proxy-destination-status')).to.equal('200');
      expect(answer.headers.get('bt-trace-id')).to.equal(answer.headers.get('svc-trace-id'));
      expect(await answer.json()).to.deep.equal({ zipped: true });
    });

    it('streams: its first bytes arrive before its last are sent', async () => {
      const { key } = await api.proxy(destination.url);
      const { dev } = await sharedSystem();
      const release = Promise.withResolvers<void>();
      destination.answer = (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('first');
        void release.promise.then(() => response.end('last'));
      };
      const answer = await fetch(`${api.base}/proxy`, {
        headers: { 'SVC-PROXY-KEY': key, 'SVC-API-KEY': dev.private_api_key },
      });
      const reader = answer.body!.getReader();
      expect(Buffer.from((await reader.read()).value!).toString()).to.equal('first');
      release.resolve();
      expect(Buffer.from((await reader.read()).value!).toString()).to.equal('last');
    });

    it('that breaks off half-way is broken off for the caller too', async () => {
      const { key } = await api.proxy(destination.url);
      destination.answer = (_request, response) => {
        response.writeHead(200, { 'Content-Length': '100' });
        response.write('half');
        setImmediate(() => response.destroy());
      };
      const failure = await api.invoke(key, 'GET', '').catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
    });

    it('reaches a client that sends all of its body before it reads, however early the destination answers', async () => {
      const { key } = await api.proxy(destination.url);
      const { dev } = await sharedSystem();
      const early = createServer((request, response) => {
        response.writeHead(413, { 'Content-Type': 'text/plain', Connection: 'close' });
        response.end('too much');
        request.on('error', () => undefined);
      });
      await once(early.listen(0, '127.0.0.1'), 'listening');
      const { key: earlyKey } = await api.proxy(`http://localhost:${(early.address() as AddressInfo).port}`);
      const headers =
        `Host: localhost\r\nSVC-API-KEY: ${dev.private_api_key}\r\n` +
        'Content-Type: application/octet-stream\r\n';
      const body = Buffer.alloc(20 * 1024 * 1024, 'x');
      const head = `POST /proxy HTTP/1.1\r\n${headers}SVC-PROXY-KEY: ${earlyKey}\r\nContent-Length: ${body.length}\r\n\r\n`;
      const answer = await sendRaw(
        dev.service_urls['proxy-gateway'],
        Buffer.concat([Buffer.from(head), body]),
      );
      expect(answer.status).to.be.oneOf([413, 502]);
      early.close();
      early.closeAllConnections();
      expect((await api.invoke(key, 'GET', '')).status).to.equal(200);
    });

    it('ends a loop: a proxy that leads back to itself is a 502 after a few passes', async () => {
      const { dev } = await sharedSystem();
      const edge = new URL(dev.base_url);
      const proxy = await api.proxy(dev.base_url, { require_auth: false });
      const body = {
        name: 'loop',
        require_auth: false,
        destination_url: `http://localhost:${edge.port}/proxy?svc-proxy-key=${proxy.key}`,
      };
      expect((await api.manage('PUT', `/proxies/${proxy.id}`, body)).status).to.equal(200);
      const answer = await api.invoke(proxy.key, 'GET', '');
      expect(answer.status).to.equal(502);
      expect(answer.json.proxy_error.detail).to.equal('The destination leads back to this service.');
    });

    it('says who failed: a destination that cannot be reached is a wrapped 502', async () => {
      const { key } = await api.proxy('http://localhost:1');
      const answer = await api.invoke(key, 'GET', '');
      expect(answer.status).to.equal(502);
      expect(answer.json.proxy_error).to.include({ status: 502, title: 'Bad Gateway' });
      expect(answer.headers).to.not.have.property('svc-proxy-destination-status');
    });
  });
});
