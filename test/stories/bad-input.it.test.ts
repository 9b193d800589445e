import { brotliCompressSync, gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { type Sent, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { sendRaw } from '../harness/raw-http.ts';
import { sharedSystem } from '../harness/system.ts';

const json = { 'Content-Type': 'application/json' };
const megabytes = (count: number, text: string) => text.repeat((count * 1024 * 1024) / text.length);
const unknownId = '11111111-1111-4111-8111-111111111111';

/** "Bad input gets": a clear 4xx in the common shape, nothing at the destination, and never a 5xx. */
describe('hostile input', () => {
  let api: ReturnType<typeof apiOf>;
  let keys: { privateKey: string; managementKey: string };
  let gateway: string;
  let destination: Destination;
  let proxyKey: string;

  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    keys = { privateKey: system.dev.private_api_key, managementKey: system.dev.management_api_key };
    gateway = system.dev.service_urls['proxy-gateway'];
    destination = await startDestination();
    proxyKey = (await api.proxy(destination.url)).key;
  });
  after(() => destination[Symbol.asyncDispose]());
  afterEach('nothing reached the destination', () => {
    expect(destination.received).to.have.length(0);
  });

  describe('on /proxy is a wrapped error', () => {
    const cases: Readonly<Record<string, readonly [status: number, sent: Sent]>> = {
      'malformed JSON': [400, { headers: json, body: '{"a":' }],
      'malformed JSON with an expression': [400, { headers: json, body: `{"a":"{{${unknownId}}}",}` }],
      'JSON followed by more': [400, { headers: json, body: '{} {}' }],
      'invalid UTF-8 in JSON': [400, { headers: json, body: Buffer.from('{"a":"\xff"}', 'latin1') }],
      'invalid UTF-8 beside an expression': [
        400,
        { headers: { 'Content-Type': 'text/plain' }, body: Buffer.from(`\xff{{${unknownId}}}`, 'latin1') },
      ],
      'a broken escape in a form value with an expression': [
        400,
        { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `a=%zz{{${unknownId}}}` },
      ],
      '9 MB of opening braces': [400, { headers: json, body: megabytes(9, '{') }],
      '10 MB of opening braces as text': [
        400,
        { headers: { 'Content-Type': 'text/plain' }, body: megabytes(10, '{') },
      ],
      '9 MB of nested arrays': [400, { headers: json, body: megabytes(9, '[') }],
      'an unclosed expression': [400, { headers: json, body: '{"a":"{{ abc"}' }],
      'an unclosed expression in text': [400, { headers: { 'Content-Type': 'x/y' }, body: 'a {{ b' }],
      'an empty expression': [400, { headers: json, body: '{"a":"{{ }}"}' }],
      'an unknown token': [400, { headers: json, body: `{"a":"{{${unknownId}}}"}` }],
      'an unknown filter': [400, { headers: json, body: `{"a":"{{${unknownId} | nosuchfilter}}"}` }],
      'a tag in an expression': [400, { headers: json, body: `{"a":"{{ %} | x }}"}` }],
      'more tokens than a request may use': [
        400,
        { headers: json, body: { a: Array.from({ length: 101 }, (_, i) => `{{ token-${i} }}`) } },
      ],
      'more expressions than a body may hold': [
        400,
        { headers: json, body: { a: Array.from({ length: 1001 }, () => `{{ token }}`) } },
      ],
      'an expression in another charset': [
        415,
        {
          headers: { 'Content-Type': 'application/json; charset=utf-16le' },
          body: Buffer.from('"{{a}}"', 'utf16le'),
        },
      ],
      'an unknown Content-Encoding': [415, { headers: { ...json, 'Content-Encoding': 'rot13' }, body: '{}' }],
      'broken gzip': [400, { headers: { ...json, 'Content-Encoding': 'gzip' }, body: 'not gzip' }],
      'a gzip bomb': [
        413,
        { headers: { ...json, 'Content-Encoding': 'gzip' }, body: gzipSync(megabytes(60, ' ')) },
      ],
      'a brotli bomb': [
        413,
        { headers: { ...json, 'Content-Encoding': 'br' }, body: brotliCompressSync(megabytes(60, ' ')) },
      ],
    };
    for (const [what, [status, sent]] of Object.entries(cases)) {
      it(`${status}: ${what}`, async () => {
        const answer = await api.invoke(proxyKey, 'POST', '', sent);
        expect(answer.status, answer.text.slice(0, 500)).to.equal(status);
        expect(answer.json).to.have.all.keys('proxy_error');
        expect(answer.json.proxy_error).to.include.all.keys('title', 'status', 'detail', 'errors');
        expect(answer.json.proxy_error.status).to.equal(status);
      });
    }

    it('names the tokens that are unknown', async () => {
      const answer = await api.invoke(proxyKey, 'POST', '', { body: { a: `{{${unknownId}}}` } });
      expect(answer.json.proxy_error.detail).to.equal(`Failed to detokenize some tokens: ${unknownId}`);
      expect(answer.json.proxy_error.title).to.equal('Invalid proxy request');
    });
  });

  describe('on the wire', () => {
    const request = (headers: string, body = '') =>
      `POST /proxy HTTP/1.1\r\nHost: localhost\r\nSVC-API-KEY: ${keys.privateKey}\r\nSVC-PROXY-KEY: ${proxyKey}\r\n` +
      `Content-Type: application/json\r\n${headers}\r\n\r\n${body}`;

    it('a credential that is sent twice with different values is a 400', async () => {
      const answer = await sendRaw(gateway, request('SVC-API-KEY: key_another\r\nContent-Length: 2', '{}'));
      expect(answer.status).to.equal(400);
      expect(answer.text).to.contain('proxy_error').and.to.contain('SVC-API-KEY');
    });

    it('a Content-Type that is sent twice with different values is a 400', async () => {
      const answer = await sendRaw(gateway, request('Content-Type: text/plain\r\nContent-Length: 2', '{}'));
      expect(answer.status).to.equal(400);
    });

    it('a body that is cut off half-way is not delivered', async () => {
      const answer = await sendRaw(gateway, request('Content-Length: 100', '{"a":'), { end: true });
      expect(answer.status).to.be.oneOf([0, 400]);
    });

    it('a chunked body that is cut off half-way is not delivered', async () => {
      const chunked = request('Transfer-Encoding: chunked', '5\r\n{"a":\r\n');
      const answer = await sendRaw(gateway, chunked, { end: true });
      expect(answer.status).to.be.oneOf([0, 400]);
    });

    it('a binary body that is cut off half-way is never taken for complete', async () => {
      const binary = request('Content-Length: 100', 'half').replace(
        'application/json',
        'application/octet-stream',
      );
      const answer = await sendRaw(gateway, binary, { end: true });
      expect(answer.status).to.be.oneOf([0, 400]);
    });

    it('a length and chunks together are a 400, so that no request hides in another', async () => {
      const both = request(
        'Content-Length: 4\r\nTransfer-Encoding: chunked',
        '0\r\n\r\nGET /x HTTP/1.1\r\n\r\n',
      );
      expect((await sendRaw(gateway, both)).status).to.equal(400);
    });

    for (const [what, bytes] of [
      ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\r\n\r\n'],
      ['a broken chunk size', 'POST /proxy HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
      ['two lengths', 'POST /proxy HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
      ['a header without a name', 'GET /proxy HTTP/1.1\r\nHost: a\r\n: v\r\n\r\n'],
      ['40 KB of headers', `GET /proxy HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
      ['no Host', 'GET /proxy HTTP/1.1\r\n\r\n'],
    ] as const) {
      it(`${what} is a 4xx in the common shape`, async () => {
        const answer = await sendRaw(gateway, bytes);
        expect(answer.status).to.be.within(400, 499);
        expect(answer.text).to.match(/"title":"[^"]+"|^HTTP\/1\.1 400/);
      });
    }
  });

  describe('on /tokens and /tokenize is the common error object', () => {
    const invalid: Readonly<Record<string, readonly [status: number, body: unknown, field?: string]>> = {
      'malformed JSON': [400, '{"type":'],
      'no object': [400, '[]'],
      'an empty body': [400, ''],
      'invalid UTF-8': [400, Buffer.from('{"type":"token","data":"\xff"}', 'latin1')],
      'no type': [400, { data: 'x' }, 'type'],
      'no data': [400, { type: 'token' }, 'data'],
      'a type that does not exist': [400, { type: 'nosuch', data: 'x' }, 'type'],
      'a number that is no card': [
        400,
        { type: 'card', data: { number: '4242424242424241' } },
        'data.number',
      ],
      'containers of the wrong type': [400, { type: 'token', data: 'x', containers: 'no' }, 'containers'],
      'a container that is no path': [400, { type: 'token', data: 'x', containers: ['no'] }, 'containers[0]'],
      'an id with forbidden characters': [400, { type: 'token', data: 'x', id: 'a#b' }, 'id'],
      'metadata of the wrong type': [400, { type: 'token', data: 'x', metadata: { a: [1] } }, 'metadata.a'],
      'a date that is none': [400, { type: 'token', data: 'x', expires_at: 'soon' }, 'expires_at'],
      'a mask that is no expression': [
        400,
        { type: 'token', data: 'x', mask: '{{ data | nosuch }}' },
        'mask',
      ],
      'deep nesting': [400, `{"type":"token","data":${'['.repeat(5000)}${']'.repeat(5000)}}`],
      'more than fits': [413, { type: 'token', data: 'x'.repeat(3 * 1024 * 1024) }],
    };
    for (const [what, [status, body, field]] of Object.entries(invalid)) {
      it(`${status}: ${what}`, async () => {
        const answer = await api.send('POST', '/tokens', { key: keys.privateKey, headers: json, body });
        expect(answer.status, answer.text.slice(0, 500)).to.equal(status);
        expect(answer.json).to.include.all.keys('title', 'status', 'detail', 'errors');
        if (field !== undefined) expect(Object.keys(answer.json.errors)).to.include(field);
      });
    }

    it('tells all problems of a body at once', async () => {
      const body = {
        type: 'card',
        data: { number: 'x', expiration_month: 13 },
        containers: ['bad'],
        id: 'a',
      };
      const answer = await api.send('POST', '/tokens', { key: keys.privateKey, body });
      expect(answer.status).to.equal(400);
      expect(Object.keys(answer.json.errors)).to.include.members([
        'data.number',
        'data.expiration_month',
        'containers[0]',
        'id',
      ]);
    });

    it('stores nothing of a tokenize request of which one part is wrong', async () => {
      const id = `all-or-nothing-${Date.now()}`;
      const body = { good: { type: 'token', data: 'x', id }, bad: { type: 'card', data: { number: '1' } } };
      const answer = await api.send('POST', '/tokenize', { key: keys.privateKey, body });
      expect(answer.status).to.equal(400);
      expect(Object.keys(answer.json.errors)).to.deep.equal(['bad.data.number']);
      expect((await api.send('GET', `/tokens/${id}`, { key: keys.privateKey })).status).to.equal(404);
    });

    it('is a 415 for a type that is no JSON', async () => {
      for (const path of ['/tokens', '/tokenize']) {
        const sent = { key: keys.privateKey, headers: { 'Content-Type': 'text/xml' }, body: '<a/>' };
        expect((await api.send('POST', path, sent)).status).to.equal(415);
      }
    });

    it('is a 401 without a key, a 403 with one that may not, a 404 for what is not there', async () => {
      const body = { type: 'token', data: 'x' };
      expect((await api.send('POST', '/tokens', { body })).status).to.equal(401);
      expect((await api.send('POST', '/tokens', { key: keys.managementKey, body })).status).to.equal(403);
      expect((await api.send('GET', '/tokens/nosuch', { key: keys.privateKey })).status).to.equal(404);
      expect((await api.send('GET', '/tokens/%ff', { key: keys.privateKey })).status).to.equal(404);
      expect((await api.send('DELETE', '/tokens/nosuch', { key: keys.privateKey })).status).to.equal(404);
    });

    it('is a 409 for an id that is taken', async () => {
      const id = `taken-${Date.now()}`;
      const body = { type: 'token', data: 'x', id };
      expect((await api.send('POST', '/tokens', { key: keys.privateKey, body })).status).to.equal(201);
      expect((await api.send('POST', '/tokens', { key: keys.privateKey, body })).status).to.equal(409);
    });
  });
});
