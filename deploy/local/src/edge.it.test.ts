import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { type Edge, startEdge } from './edge.ts';

describe('edge', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function serve(listener: RequestListener): Promise<{ server: Server; port: number }> {
    const server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { server, port: (server.address() as AddressInfo).port };
  }

  async function edgeTo(gateway: RequestListener, ready: Record<string, string> = {}): Promise<Edge> {
    const gatewayServer = await serve(gateway);
    const control = await serve((_, response) => response.end('control-api'));
    const edge = await startEdge({
      hosts: ['127.0.0.1'],
      port: 0,
      upstreams: {
        'proxy-gateway': { host: '127.0.0.1', port: gatewayServer.port },
        'control-api': { host: '127.0.0.1', port: control.port },
      },
      readyUrls: ready,
      docsUrl: 'http://localhost/docs',
    });
    cleanups.push(async () => edge[Symbol.asyncDispose]());
    return edge;
  }

  /** Sends bytes as they are and returns all that comes back until the connection ends. */
  async function raw(edge: Edge, ...chunks: string[]): Promise<string> {
    const socket = connect(edge.port, '127.0.0.1');
    for (const chunk of chunks) socket.write(chunk, 'latin1');
    return await text(socket.setEncoding('latin1'));
  }

  const base = (edge: Edge) => `http://127.0.0.1:${edge.port}`;

  it('sends data paths to the gateway and all others to control-api', async () => {
    const edge = await edgeTo((_, response) => response.end('proxy-gateway'));
    const answers = await Promise.all(
      ['/proxy/a?b', '/tokens', '/reactors/1/react', '/proxies', '/reactors/1'].map(async (path) =>
        (await fetch(base(edge) + path)).text(),
      ),
    );
    expect(answers).to.deep.equal([
      'proxy-gateway',
      'proxy-gateway',
      'proxy-gateway',
      'control-api',
      'control-api',
    ]);
  });

  it("keeps each request header's spelling, order and number", async () => {
    let target = '';
    const headers: string[] = [];
    const edge = await edgeTo((request, response) => {
      target = request.url ?? '';
      const { rawHeaders } = request;
      for (let i = 0; i < rawHeaders.length; i += 2) headers.push(`${rawHeaders[i]}=${rawHeaders[i + 1]}`);
      response.end();
    });
    await raw(
      edge,
      'POST /proxy/a%2fb/../c?x=%20&y HTTP/1.1\r\nhOsT: some.where\r\nX-Twice: 1\r\nacCEPT: a/b\r\nx-twice: 2\r\nCookie: a=1\r\nCookie: b=2\r\nX-Obs: caf\xe9\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
    );
    expect(target).to.equal('/proxy/a%2fb/../c?x=%20&y');
    expect(headers).to.deep.equal([
      'hOsT=some.where',
      'X-Twice=1',
      'acCEPT=a/b',
      'x-twice=2',
      'Cookie=a=1',
      'Cookie=b=2',
      'X-Obs=caf\xe9',
      'Content-Length=2',
      'Connection=close',
    ]);
  });

  it("keeps each response header's spelling, order and number, and the status line", async () => {
    const edge = await edgeTo((_, response) => {
      response.sendDate = false;
      response.writeHead(299, 'Quite Fine', [
        'seT-cookie',
        'a=1',
        'X-B',
        '\xe9',
        'Set-Cookie',
        'b=2',
        'content-length',
        '2',
      ]);
      response.end(Buffer.from('ok'));
    });
    const answer = await raw(edge, 'GET /proxy HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).to.equal(
      'HTTP/1.1 299 Quite Fine\r\nseT-cookie: a=1\r\nX-B: \xe9\r\nSet-Cookie: b=2\r\ncontent-length: 2\r\nConnection: close\r\n\r\nok',
    );
  });

  it('adds no body to a request that has none', async () => {
    const bodies: unknown[] = [];
    const edge = await edgeTo((request, response) => {
      void text(request).then((body) => {
        bodies.push([request.method, request.headers['transfer-encoding'], body]);
        response.end();
      });
    });
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
      await fetch(`${base(edge)}/proxy`, { method });
      expect(bodies.pop()).to.deep.equal([method, undefined, '']);
    }
  });

  it('streams big bodies both ways unchanged', async () => {
    const edge = await edgeTo((request, response) => void request.pipe(response));
    const body = Buffer.alloc(20_000_000, 'glovebox ');
    const answer = await fetch(`${base(edge)}/proxy`, { method: 'POST', body });
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).to.equal(true);
  });

  it('reads a request no faster than the service takes it', async () => {
    const edge = await edgeTo((request) => request.pause());
    const socket = connect(edge.port, '127.0.0.1').on('error', () => {});
    cleanups.push(async () => void socket.destroy());
    socket.write('POST /proxy HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const taken = await writeUntilRefused(socket);
    expect(taken).to.be.lessThan(30_000_000);
  });

  it('answers 502 in the common shape when the service is down, wrapped where the contract wants it', async () => {
    const edge = await edgeTo((request) => request.socket.destroy());
    const onTokens = await fetch(`${base(edge)}/tokens`, {
      method: 'POST',
      body: '{}',
      headers: { 'SVC-TRACE-ID': 'of mine' },
    });
    const onProxy = await fetch(`${base(edge)}/proxy`, { headers: { 'BT-TRACE-ID': 'of mine' } });
    const problem = {
      errors: {},
      title: 'Bad Gateway',
      status: 502,
      detail: 'proxy-gateway is not reachable at the moment.',
      code: 'bad_gateway',
      trace_id: 'of mine',
      doc_url: 'http://localhost/docs/errors#bad_gateway',
    };
    expect([onTokens.status, await onTokens.json()]).to.deep.equal([502, problem]);
    expect(onTokens.headers.get('svc-trace-id')).to.equal('of mine');
    expect([onProxy.status, await onProxy.json()]).to.deep.equal([502, { proxy_error: problem }]);
  });

  it('cuts the answer off when the service breaks off in the middle of it', async () => {
    const edge = await edgeTo((_, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('hal', () => response.destroy());
    });
    const answer = await fetch(`${base(edge)}/proxy`);
    const outcome = await answer.text().then(
      () => 'complete',
      () => 'cut off',
    );
    expect(outcome).to.equal('cut off');
  });

  it('ends the request at the service when the caller goes away', async () => {
    const ended = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const edge = await edgeTo((request) => {
      request.on('close', () => ended.resolve());
      arrived.resolve();
    });
    const socket = connect(edge.port, '127.0.0.1');
    socket.write('POST /proxy HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc');
    await arrived.promise;
    socket.destroy();
    await ended.promise;
  });

  it('passes on an answer that comes before the request has ended', async () => {
    const edge = await edgeTo((_, response) => void response.writeHead(413).end('too large'));
    const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
    cleanups.push(async () => void socket.destroy());
    socket.write('POST /proxy HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n');
    socket.write('x'.repeat(4_000_000));
    let answer = '';
    while (!answer.includes('too large')) answer += ((await once(socket, 'data')) as [string])[0];
    expect(answer).to.match(/^HTTP\/1\.1 413 /);
  });

  it('serves the next request on the connection of one that was answered before its end', async () => {
    const edge = await edgeTo((request, response) => {
      // As the gateway refuses: without waiting for the rest of the body.
      if (request.url === '/proxy') response.writeHead(413).end('too large');
      else response.end('served');
    });
    const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
    cleanups.push(async () => void socket.destroy());
    let answers = '';
    const answered = async (text: string) => {
      while (!answers.includes(text)) answers += ((await once(socket, 'data')) as [string])[0];
    };
    socket.write('POST /proxy HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n');
    await answered('too large');
    socket.write('x'.repeat(4_000_000));
    socket.write('GET /proxy/next HTTP/1.1\r\nHost: a\r\n\r\n');
    await answered('served');
    // Without it both wait until one side's idle connections are closed, which takes seconds.
  }).timeout(3000);

  it("passes on the service's 100 Continue, and its refusal in place of one", async () => {
    const gateway = await serve(() => {});
    gateway.server.on('checkContinue', (request: IncomingMessage, response) => {
      if (request.headers['x-refuse']) response.writeHead(417, { Connection: 'close' }).end();
      else {
        response.writeContinue();
        void text(request).then((body) => response.end(body));
      }
    });
    const direct = await startEdge({
      hosts: ['127.0.0.1'],
      port: 0,
      upstreams: {
        'proxy-gateway': { host: '127.0.0.1', port: gateway.port },
        'control-api': { host: '127.0.0.1', port: gateway.port },
      },
      readyUrls: {},
      docsUrl: 'http://localhost/docs',
    });
    cleanups.push(async () => direct[Symbol.asyncDispose]());
    const head =
      'POST /proxy HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n';
    const socket = connect(direct.port, '127.0.0.1').setEncoding('latin1');
    socket.write(`${head}\r\n`);
    const [first] = (await once(socket, 'data')) as [string];
    expect(first).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hello');
    expect(await text(socket))
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.include('hello');
    expect(await raw(direct, `${head}X-Refuse: 1\r\n\r\n`)).to.match(/^HTTP\/1\.1 417 /);
  });

  it('answers bytes that are not HTTP in the common shape', async () => {
    const edge = await edgeTo((_, response) => response.end());
    expect(await raw(edge, 'NONSENSE\r\n\r\n'))
      .to.match(/^HTTP\/1\.1 400 Bad Request\r\n/)
      .and.to.include('"status":400');
    const big = await raw(edge, `GET /proxy HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`);
    expect(big)
      .to.match(/^HTTP\/1\.1 431 /)
      .and.to.include('"status":431');
  });

  it('sends an old client no chunks', async () => {
    const edge = await edgeTo((_, response) => {
      response.write('one ');
      response.end('two');
    });
    const answer = await raw(edge, 'GET /proxy HTTP/1.0\r\nHost: a\r\n\r\n');
    expect(answer).to.match(/\r\n\r\none two$/);
  });

  it('is healthy only while every service is ready', async () => {
    let status = 200;
    const service = await serve((_, response) => response.writeHead(status).end());
    const url = `http://127.0.0.1:${service.port}/readyz`;
    const edge = await edgeTo((_, response) => response.end(), { 'token-vault': url, 'control-api': url });
    const healthy = await fetch(`${base(edge)}/healthz`);
    expect([healthy.status, await healthy.json()]).to.deep.equal([
      200,
      { ready: true, services: { 'token-vault': 'ready', 'control-api': 'ready' } },
    ]);
    status = 503;
    expect((await fetch(`${base(edge)}/healthz`)).status).to.equal(503);
  });
});

/** Writes until the other side has taken nothing for a while. */
async function writeUntilRefused(socket: Socket): Promise<number> {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  for (let taken = 0; ; taken += 0x10000) {
    if (socket.write(chunk)) continue;
    const drained = once(socket, 'drain').then(() => true);
    const stuck = new Promise<false>((resolve) => setTimeout(() => resolve(false), 300));
    if (!(await Promise.race([drained, stuck])) || taken > 100_000_000) return taken;
  }
}
