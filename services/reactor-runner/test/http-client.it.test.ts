import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { type TestServer, bodyOf, certificateFile, http, https, listen, sendText } from './http-servers.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';

type Route = (request: IncomingMessage, response: ServerResponse) => unknown;

const megabyte = Buffer.alloc(1_000_000, 'glovebox');

const routes: Record<string, Route> = {
  '/echo': async (request, response) => {
    const { method, httpVersion, rawHeaders } = request;
    const body = await bodyOf(request);
    response.setHeader('X-Twice', ['1', '2']);
    response.end(JSON.stringify({ method, httpVersion, rawHeaders, body: body.toString() }));
  },
  '/gzip': (_request, response) =>
    response.setHeader('Content-Encoding', 'gzip').end(gzipSync('x'.repeat(5000))),
  '/digest': async (request, response) =>
    response.end(
      createHash('sha256')
        .update(await bodyOf(request))
        .digest('hex'),
    ),
  '/megabyte': (_request, response) => response.end(megabyte),
  '/chunks': (_request, response) => {
    response.writeHead(201, 'Made', { Trailer: 'X-Sum' });
    response.write('one,');
    setTimeout(() => response.write('two,'), 20);
    setTimeout(() => {
      response.addTrailers({ 'X-Sum': '3' });
      response.end('three');
    }, 40);
  },
  '/nothing': (_request, response) => response.writeHead(204).end(),
  '/unchanged': (_request, response) => response.writeHead(304, { ETag: '"1"' }).end(),
  '/never': () => {},
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/close': (request) => request.socket.end(),
  '/half': (request, response) => {
    response.writeHead(200, { 'Content-Length': 10 });
    response.write('half', () => request.socket.destroy());
  },
  '/to-metadata': (_request, response) =>
    response.writeHead(302, { Location: 'https://169.254.169.254/latest/meta-data' }).end(),
};

function route(request: IncomingMessage, response: ServerResponse): void {
  void routes[request.url ?? '']?.(request, response);
}

describe('http and https for user code', () => {
  let runner: TestRunner;
  let plain: TestServer;
  let secure: TestServer;
  before(async () => {
    runner = await startTestRunner({ egress: { caFile: certificateFile }, limits: { wallMs: 10_000 } });
    plain = await listen(http(route));
    secure = await listen(https(route), 'https');
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await plain[Symbol.asyncDispose]();
    await secure[Symbol.asyncDispose]();
  });

  const valueOf = (body: string) => runner.run(`${sendText}module.exports = async (req) => {\n${body}\n};`);

  for (const kind of ['http', 'https']) {
    const url = () => (kind === 'http' ? plain : secure).url;

    describe(kind, () => {
      it('sends a request as Node.js 16 does, and gives the response with its raw headers', async () => {
        const found = (await valueOf(`
          const [response, body] = await send('${url()}/echo', { method: 'POST', headers: { 'X-Mixed-Case': 'a' } }, 'hello');
          const { statusCode, statusMessage, httpVersion, headers, rawHeaders, complete } = response;
          return { statusCode, statusMessage, httpVersion, complete, twice: headers['x-twice'], raw: rawHeaders.slice(0, 4), body: JSON.parse(body) };`)) as object;
        expect(found).to.deep.equal({
          statusCode: 200,
          statusMessage: 'OK',
          httpVersion: '1.1',
          complete: true,
          twice: '1, 2',
          raw: ['X-Twice', '1', 'X-Twice', '2'],
          body: {
            method: 'POST',
            httpVersion: '1.1',
            rawHeaders: [
              'X-Mixed-Case',
              'a',
              'Host',
              new URL(url()).host,
              'Connection',
              'close',
              'Content-Length',
              '5',
            ],
            body: 'hello',
          },
        });
      });

      it('streams in pieces both ways, with trailers', async () => {
        const found = await valueOf(`
          const sent = await new Promise((resolve, reject) => {
            const request = require('${kind}').request('${url()}/echo', { method: 'PUT' }, (response) => {
              let text = ''; response.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => resolve(JSON.parse(text)));
            }).on('error', reject);
            request.write('a');
            setTimeout(() => { request.write('b'); request.end('c'); }, 20);
          });
          const pieces = [];
          const response = await new Promise((resolve) => require('${kind}').get('${url()}/chunks', resolve));
          for await (const piece of response) pieces.push(String(piece));
          return [sent.body, sent.rawHeaders.includes('chunked'), response.statusCode, response.statusMessage, pieces.join(''), response.trailers];`);
        expect(found).to.deep.equal(['abc', true, 201, 'Made', 'one,two,three', { 'x-sum': '3' }]);
      });

      it('carries a megabyte both ways', async () => {
        const digest = createHash('sha256').update(megabyte).digest('hex');
        const found = await valueOf(`
          const [, down] = await send('${url()}/megabyte');
          const [, up] = await send('${url()}/digest', { method: 'POST' }, down);
          return [require('crypto').createHash('sha256').update(down).digest('hex'), String(up)];`);
        expect(found).to.deep.equal([digest, digest]);
      });

      it('keeps connections alive for an agent that asks for it, and closes them with the invocation', async () => {
        const server = kind === 'http' ? plain : secure;
        const before = server.connections();
        const code = `${sendText}
          const agent = new (require('${kind}').Agent)({ keepAlive: true, maxSockets: 1 });
          module.exports = async () => {
            const texts = await Promise.all([1, 2].map((i) => send('${url()}/echo', { agent, method: 'POST' }, 'n' + i)));
            texts.push(await send('${url()}/echo', { agent, method: 'POST' }, 'n3'));
            send('${url()}/never', { agent }).catch(() => {});
            send('${url()}/echo', { agent }).catch(() => {});
            await new Promise((resolve) => setTimeout(resolve, 50));
            return [texts.map(([, body]) => JSON.parse(body).body), texts[2][2].reusedSocket];
          };`;
        for (let i = 1; i <= 3; i += 1) {
          expect(await runner.run(code)).to.deep.equal([['n1', 'n2', 'n3'], true]);
          expect(server.connections() - before).to.equal(i);
          await until('no connection is open', () => server.open.size === 0);
        }
      });
    });
  }

  it('gives what is compressed as it came', async () => {
    expect(
      await valueOf(
        `const [, body] = await send('${plain.url}/gzip'); return String(require('zlib').gunzipSync(body)).length`,
      ),
    ).to.equal(5000);
  });

  it('knows which responses have no body', async () => {
    expect(
      await valueOf(`
        const all = await Promise.all([['HEAD', 'megabyte'], ['GET', 'nothing'], ['GET', 'unchanged']].map(([method, path]) =>
          send('${plain.url}/' + path, { method })));
        return all.map(([{ statusCode }, body]) => [statusCode, body.length]);`),
    ).to.deep.equal([
      [200, 0],
      [204, 0],
      [304, 0],
    ]);
  });

  it('waits for 100 Continue, and hands over upgraded connections', async () => {
    const server = http(route).on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst');
      socket.pipe(socket);
    });
    await using upgrading = await listen(server);
    expect(
      await valueOf(`
        const order = [];
        await new Promise((resolve, reject) => {
          const request = require('http').request('${plain.url}/echo', { method: 'POST', headers: { Expect: '100-continue' } }, (response) => {
            order.push(response.statusCode); response.resume().on('end', resolve);
          }).on('error', reject);
          request.on('continue', () => { order.push('continue'); request.end('x'); });
        });
        const text = await new Promise((resolve, reject) => {
          const headers = { Connection: 'Upgrade', Upgrade: 'echo' };
          require('http').get('${upgrading.url}', { headers }).on('error', reject).on('upgrade', (response, socket, head) => {
            let text = String(head);
            socket.on('data', (part) => { text += part; if (text.endsWith('second')) { socket.destroy(); resolve(text); } });
            socket.write('second');
          });
        });
        return [order, text];`),
    ).to.deep.equal([['continue', 200], 'firstsecond']);
  });

  it('fails as Node.js 16 does', async () => {
    const refused = createServer();
    await using gone = await listen(refused);
    await new Promise((closed) => refused.close(closed));
    const found = await valueOf(`
      return Promise.all(['${plain.url}/reset', '${plain.url}/close', '${plain.url}/half', 'http://localhost:${gone.port}/', 'https://unknown.example/']
        .map((url) => told(send(url)))
        .concat(told(new Promise((_, reject) => require('http').get({ host: 'fe80::1%none' }).on('error', reject)))));`);
    expect(found).to.deep.equal([
      { message: 'read ECONNRESET', code: 'ECONNRESET', errno: -104, syscall: 'read' },
      { message: 'socket hang up', code: 'ECONNRESET' },
      { message: 'aborted', code: 'ECONNRESET' },
      {
        message: `connect ECONNREFUSED 127.0.0.1:${gone.port}`,
        code: 'ECONNREFUSED',
        errno: -111,
        syscall: 'connect',
        address: '127.0.0.1',
        port: gone.port,
      },
      {
        message: 'getaddrinfo ENOTFOUND unknown.example',
        code: 'ENOTFOUND',
        errno: -3008,
        syscall: 'getaddrinfo',
      },
      {
        message: 'getaddrinfo ENOTFOUND fe80::1%none',
        code: 'ENOTFOUND',
        errno: -3008,
        syscall: 'getaddrinfo',
      },
    ]);
  });

  it('times out and aborts', async () => {
    const found = await valueOf(`
      const { request } = require('http');
      const timedOut = new Promise((resolve) => {
        const one = request('${plain.url}/never', { timeout: 30 }).on('timeout', () => one.destroy(new Error('too slow'))).on('error', resolve);
        one.end();
      });
      const controller = new AbortController();
      // Node.js 16 heeds the signal until the request is sent, not while it waits for the response.
      const aborted = told(send('${plain.url}/never', { signal: controller.signal }));
      controller.abort();
      const destroyed = new Promise((resolve) => {
        const one = request('${plain.url}/never').on('error', ({ message, code }) => resolve([message, code]));
        one.end(); setTimeout(() => one.destroy(), 20);
      });
      return [(await timedOut).message, await aborted, await destroyed];`);
    expect(found).to.deep.equal([
      'too slow',
      { message: 'The operation was aborted', code: 'ABORT_ERR' },
      ['socket hang up', 'ECONNRESET'],
    ]);
  });

  it('shows the socket, but not where this process is', async () => {
    const found = await valueOf(`
      const [response, , request] = await send('${secure.url}/nothing', { agent: new (require('https').Agent)({ keepAlive: true }) });
      const events = [];
      const certificate = await new Promise((resolve, reject) => {
        require('https').get('${secure.url}/nothing', (response) => response.resume()).on('error', reject).on('socket', (socket) => {
          for (const name of ['lookup', 'connect', 'ready', 'secureConnect', 'close']) socket.on(name, () => events.push(name));
          socket.on('secureConnect', () => resolve(socket.getPeerCertificate()));
        });
      });
      const { socket } = request;
      return [events, socket.encrypted, socket.authorized, socket.remoteAddress, socket.remotePort, socket.remoteFamily,
        typeof socket.localAddress, socket.getProtocol(), certificate.subject.CN, Buffer.isBuffer(certificate.raw), certificate.raw.buffer.byteLength === certificate.raw.length];`);
    expect(found).to.deep.equal([
      ['lookup', 'connect', 'ready', 'secureConnect'],
      true,
      true,
      '127.0.0.1',
      secure.port,
      'IPv4',
      'undefined',
      'TLSv1.3',
      'destination.test',
      true,
      true,
    ]);
  });

  it('follows a redirect only to where a request may go', async () => {
    const found = await valueOf(`
      const [{ headers }] = await send('${plain.url}/to-metadata');
      return told(send(headers.location));`);
    expect(found).to.include({
      code: 'EACCES',
      message:
        'Requests to https://169.254.169.254:443 are not allowed: a DNS name is needed, not an IP address.',
    });
  });

  it('serves nothing, and refuses what would go past the platform', async () => {
    const found = await valueOf(`
      const { request, Server } = require('http');
      const thrown = [() => require('http').createServer(), () => require('https').createServer({}), () => new Server().listen(0), () => require('net'), () => require('tls'), () => require('dns')]
        .map((run) => { try { run(); return 'nothing'; } catch ({ message }) { return message.split('. There are')[0]; } });
      const options = [{ socketPath: '/var/run/docker.sock' }, { lookup: (name, options, done) => done(null, '127.0.0.1', 4) }, { localAddress: '127.0.0.1' }];
      const refused = await Promise.all(options.map((one) => told(send('${plain.url}/echo', one))));
      return [thrown, refused.map(({ message }) => message)];`);
    expect(found).to.deep.equal([
      [
        'http.createServer() is not offered here.',
        'https.createServer() is not offered here.',
        'Servers are not offered here.',
        "Cannot find module 'net'",
        "Cannot find module 'tls'",
        "Cannot find module 'dns'",
      ],
      [
        'Sockets of a file system are not offered here (socketPath).',
        'The option lookup is not offered here: names are looked up by the platform.',
        'The option localAddress is not offered here.',
      ],
    ]);
  });
});
