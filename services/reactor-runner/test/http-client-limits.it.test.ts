import { type AddressInfo, type Socket, createServer } from 'node:net';

import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestServer, http, listen, sendText } from './http-servers.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';

const megabyte = 1_000_000;

describe('the limits of user code on the network', () => {
  let runner: TestRunner;
  let server: TestServer;
  let atOnce = 0;
  let mostAtOnce = 0;
  before(async () => {
    runner = await startTestRunner({ limits: { wallMs: 3000 }, egress: { connectTimeoutMs: 1500 } });
    server = await listen(
      http((request, response) => {
        if (request.url === '/huge') response.end(Buffer.alloc(5 * megabyte));
        if (request.url !== '/') return;
        atOnce += 1;
        mostAtOnce = Math.max(mostAtOnce, atOnce);
        request.resume().once('close', () => (atOnce -= 1));
        request.once('end', () => setTimeout(() => response.end('ok'), 20));
      }),
    );
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const code = (body: string) => `${sendText}module.exports = async (req) => {\n${body}\n};`;
  /** A server that answers each connection with bytes. */
  const raw = (answer: (socket: Socket) => void) => listen(createServer(answer));

  it('end a response that is larger than a run may receive, and the next run has as much again', async () => {
    const received = `
      let bytes = 0;
      const error = await new Promise((resolve) => require('http').get('${server.url}/huge', (response) =>
        response.on('data', (part) => { bytes += part.length; }).on('error', resolve).on('end', resolve)).on('error', resolve));
      return [bytes > 3e6 && bytes <= 4e6, error.message, error.code];`;
    for (let i = 0; i < 2; i += 1)
      expect(await runner.run(code(received))).to.deep.equal([
        true,
        'More than 4000000 bytes were received in one invocation.',
        'ERR_NETWORK_LIMIT',
      ]);
  });

  it('end a request that is larger than a run may send', async () => {
    expect(
      await runner.run(code(`return told(send('${server.url}', { method: 'POST' }, Buffer.alloc(5e6)))`)),
    ).to.deep.equal({
      message: 'More than 4000000 bytes were sent in one invocation.',
      code: 'ERR_NETWORK_LIMIT',
    });
  });

  it('let more requests than connections wait for their turn', async () => {
    mostAtOnce = 0;
    const bodies = await runner.run(
      code(
        `return (await Promise.all(Array.from({ length: 12 }, () => send('${server.url}')))).map(([, body]) => String(body)).join()`,
      ),
    );
    expect(bodies).to.equal(Array.from({ length: 12 }, () => 'ok').join(','));
    expect(mostAtOnce).to.be.within(1, 4);
  });

  it('do not let a request wait for ever for a connection', async () => {
    const found = await runner.run(
      code(`
        for (let i = 0; i < 4; i += 1) require('http').get('${server.url}/never').on('error', () => {});
        return told(send('${server.url}'));`),
    );
    expect(found).to.deep.equal({
      message: 'No more than 4 connections can be open at once in one invocation.',
      code: 'ERR_NETWORK_LIMIT',
    });
  });

  it('end what makes connection after connection', async () => {
    expect(
      await runner.run(
        code(
          `for (let i = 1; ; i += 1) { const error = await told(send('http://localhost:1/')); if (error.code !== 'ECONNREFUSED') return [i, error.message]; }`,
        ),
      ),
    ).to.deep.equal([33, 'More than 32 connections in one invocation.']);
  });

  it('end a response that never ends, and its connection', async () => {
    await using slow = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.once('close', () => clearInterval(drip));
    });
    const failure = await failureOf(runner.run(code(`return send('${slow.url}')`)));
    expect(JSON.stringify(failure.errors)).to.contain('did not finish within');
    await until('the connection is gone', () => slow.open.size === 0);
  });

  it('end headers that have no end', async () => {
    await using endless = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write(`X: ${'x'.repeat(1000)}\r\n`), 1);
      socket.once('close', () => clearInterval(drip));
    });
    await using one = await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(megabyte)}`));
    const found = await runner.run(
      code(`return Promise.all([told(send('${endless.url}')), told(send('${one.url}'))])`),
    );
    const overflow = { message: 'Parse Error: Header overflow', code: 'HPE_HEADER_OVERFLOW' };
    expect(found).to.deep.equal([overflow, overflow]);
  });

  it('hold no more of a response in memory than is asked for', async () => {
    let written = 0;
    await using fountain = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const piece = Buffer.alloc(64 * 1024);
      const pour = () => {
        while (!socket.destroyed && socket.write(piece, () => (written += piece.length)));
      };
      socket.on('drain', pour);
      pour();
    });
    const read = await runner.run(
      code(`
        const response = await new Promise((resolve) => require('http').get('${fountain.url}', resolve));
        response.once('readable', () => {});
        await new Promise((resolve) => setTimeout(resolve, 500));
        return response.socket.bytesRead;`),
    );
    expect(read).to.be.lessThan(300_000);
    // The rest fills the kernel's buffers on both sides.
    expect(written).to.be.lessThan(16 * megabyte);
  });

  it('close what is open when the caller gives up', async () => {
    const abort = new AbortController();
    const answer = failureOf(
      runner.run(code(`return send('${server.url}/never')`), {}, { signal: abort.signal }),
    );
    await until('the connection is there', () => server.open.size === 1);
    abort.abort();
    await answer;
    await until('the connection is gone', () => server.open.size === 0);
  });

  it('leave nothing of one run to the next, not even what is asked for after the end', async () => {
    const leaving = `${sendText}
      const agent = new (require('http').Agent)({ keepAlive: true, maxSockets: 1 });
      const later = async () => { for (let i = 0; i < 50; i += 1) await null; send('${server.url}/never', { agent }).catch(() => {}); };
      module.exports = async () => {
        const [, body] = await send('${server.url}/', { agent });
        send('${server.url}/never', { agent }).catch(() => {});
        later();
        return String(body);
      };`;
    for (let i = 0; i < 3; i += 1) expect(await runner.run(leaving)).to.equal('ok');
    await until('no connection is open', () => server.open.size === 0);
  });

  it('keep the ports of the platform closed', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => listener.once('listening', listening));
    const { port } = listener.address() as AddressInfo;
    await using closed = await startTestRunner({ egress: { denied: [{ address: '0.0.0.0', port }] } });
    const found = await closed.run(
      code(
        `return Promise.all(['localhost', '127.0.0.1', '127.1', '2130706433'].map((host) => told(send('http://' + host + ':${port}/'))))`,
      ),
    );
    for (const error of found as object[]) expect(error).to.include({ code: 'EACCES' });
    listener.close();
  });

  it('are those of production where nothing else is said', async () => {
    await using strict = await startTestRunner({ egress: { profile: 'strict' } });
    const found = (await strict.run(code(`return Promise.all(req.map((url) => told(send(url))))`), [
      `${server.url}/`,
      'http://example.com/',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://0251.0376.0251.0376/',
      'https://[::1]/',
      'https://[::ffff:169.254.169.254]/',
      'https://169.254.169.254/latest',
      'https://10.0.0.1/',
    ])) as object[];
    for (const error of found) expect(error).to.include({ code: 'EACCES', syscall: 'connect' });
  });
});
