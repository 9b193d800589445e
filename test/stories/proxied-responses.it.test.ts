import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { startRawDestination } from '../harness/raw-destination.ts';
import { sendRaw } from '../harness/raw-http.ts';
import { sharedSystem } from '../harness/system.ts';

/** What is sent as a reason phrase and what arrives; one character is one byte. */
const phrases: Readonly<Record<string, string>> = {
  '': '',
  'Not\there': 'Not\there',
  'N\u00e3o encontrado': 'N\u00e3o encontrado',
  [Buffer.from('Não 見つからない').toString('latin1')]: Buffer.from('Não 見つからない').toString('latin1'),
  'Not\u0000 here': 'Not Found',
  '\u001b[31mred': 'Not Found',
  'Gone\u007f': 'Not Found',
};

/** contract/proxies.md#invocation and contract/errors.md#proxy-errors. */
describe('the response to a proxied request', () => {
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    api = apiOf(await sharedSystem());
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

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

  it('is the final one, after any that are not (RFC 9110 section 15.2)', async () => {
    const { key } = await api.proxy(destination.url);
    destination.answer = (_request, response) => {
      response.writeContinue();
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.end('final');
    };
    for (const method of ['POST', 'GET']) {
      const sent = method === 'POST' ? { body: { amount: 1 } } : {};
      const answer = await api.invoke(key, method, '', sent);
      expect([answer.status, answer.text]).to.deep.equal([200, 'final']);
    }
    expect(destination.received).to.have.length(2);
  });

  it('keeps bytes, encodings and repeated headers, and prevents forging the service’s own', async () => {
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

  it('has the destination’s reason phrase, byte by byte, or the status’ own where HTTP has no such phrase', async () => {
    const { dev } = await sharedSystem();
    let phrase = '';
    await using raw = await startRawDestination((socket) => {
      socket.write(`HTTP/1.1 404 ${phrase}\r\nContent-Length: 4\r\n\r\n<ok>`, 'latin1');
    });
    const transform = { response_transform: { code: 'module.exports = async ({ args }) => args' } };
    for (const more of [{}, transform]) {
      const { key } = await api.proxy(raw.url, more);
      for (const [sent, got] of Object.entries(phrases)) {
        phrase = sent;
        const head = `GET /proxy HTTP/1.1\r\nHost: localhost\r\nSVC-PROXY-KEY: ${key}\r\nSVC-API-KEY: ${dev.private_api_key}\r\n\r\n`;
        const { text } = await sendRaw(dev.service_urls['proxy-gateway'], head);
        expect(text.split('\r\n')[0], JSON.stringify(sent)).to.equal(`HTTP/1.1 404 ${got}`);
        expect(text).to.match(/\r\nSVC-PROXY-DESTINATION-STATUS: 404\r\n[^]*\r\n\r\n<ok>$/);
      }
    }
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
    const answer = await sendRaw(dev.service_urls['proxy-gateway'], Buffer.concat([Buffer.from(head), body]));
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
