import { execFile } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { http, https, record, testCertificate } from '../test/recording-server.ts';
import { classifyEgressError } from './classify-egress-error.ts';
import { createEgressPolicy } from './egress-policy.ts';
import { createGuardedDispatcher, type GuardedDispatcherOptions } from './guarded-dispatcher.ts';

const policy = createEgressPolicy({ profile: 'development' });

/** One request to a server on this machine; how it ended, or `answered`. */
async function outcomeOf(
  origin: string,
  options: Partial<GuardedDispatcherOptions> = {},
  headers: readonly string[] = [],
): Promise<string> {
  const dispatcher = createGuardedDispatcher({ policy, extraCaCertificates: [testCertificate], ...options });
  try {
    const { body } = await dispatcher.request({ origin, path: '/', method: 'GET', headers: [...headers] });
    await body.text();
    return 'answered';
  } catch (error) {
    return classifyEgressError(error);
  } finally {
    await dispatcher.destroy();
  }
}

/** A server below HTTP that does this with every connection. */
function raw(onConnection: (socket: Socket) => void) {
  return createServer((socket) => onConnection(socket.on('error', () => {})));
}

describe('classifyEgressError', () => {
  it('denied: the guard refused', async () => {
    expect(await outcomeOf('https://destination.example', { resolve: async () => ['10.0.0.1'] })).to.equal(
      'denied',
    );
  });

  it('dns: the name does not exist, has no address, or the resolver is late or broken', async () => {
    expect(await outcomeOf('https://does-not-exist.example')).to.equal('dns');
    expect(await outcomeOf('https://destination.example', { resolve: async () => [] })).to.equal('dns');
    expect(
      await outcomeOf('https://destination.example', {
        resolve: async () => Promise.reject(new Error('no')),
      }),
    ).to.equal('dns');
    const never = async () => new Promise<string[]>(() => {});
    expect(await outcomeOf('https://destination.example', { resolve: never, dnsTimeoutMs: 20 })).to.equal(
      'dns',
    );
  });

  it('connect: refused at one address, or at all of several', async () => {
    const server = await record(http(), '127.0.0.1');
    await server[Symbol.asyncDispose]();
    for (const scheme of ['http', 'https']) {
      expect(await outcomeOf(`${scheme}://127.0.0.1:${server.port}`)).to.equal('connect');
      const resolve = async () => ['127.0.0.1', '127.0.0.3'];
      expect(await outcomeOf(`${scheme}://localhost:${server.port}`, { resolve })).to.equal('connect');
    }
  });

  it('connect: the connection is not ready in time', async () => {
    await using server = await record(
      raw(() => {}),
      '127.0.0.1',
    );
    expect(await outcomeOf(`https://localhost:${server.port}`, { connectTimeoutMs: 50 })).to.equal('connect');
  });

  it('tls: the certificate is not trusted, or is for another name', async () => {
    await using server = await record(https(), '127.0.0.1');
    expect(await outcomeOf(`https://localhost:${server.port}`, { extraCaCertificates: [] })).to.equal('tls');
    expect(
      await outcomeOf(`https://other.localhost:${server.port}`, { resolve: async () => ['127.0.0.1'] }),
    ).to.equal('tls');
  });

  it('tls: the destination speaks less than TLS 1.2, or no TLS, or hangs up', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await using tls11 = await record(https(undefined, old), '127.0.0.1');
    await using plain = await record(http(), '127.0.0.1');
    await using rude = await record(
      raw((socket) => socket.destroy()),
      '127.0.0.1',
    );
    for (const { port } of [tls11, plain, rude])
      expect(await outcomeOf(`https://localhost:${port}`)).to.equal('tls');
  });

  it('speaks to a destination that has TLS 1.2 only', async () => {
    await using server = await record(https(undefined, { maxVersion: 'TLSv1.2' }), '127.0.0.1');
    expect(await outcomeOf(`https://localhost:${server.port}`)).to.equal('answered');
  });

  it('timeout: headers, or the next part of the body, do not come', async () => {
    await using silent = await record(
      http(() => {}),
      '127.0.0.1',
    );
    expect(await outcomeOf(`http://127.0.0.1:${silent.port}`, { headersTimeoutMs: 50 })).to.equal('timeout');
    await using stalled = await record(
      http((_request, response) => void response.write('part')),
      '127.0.0.1',
    );
    expect(await outcomeOf(`http://127.0.0.1:${stalled.port}`, { bodyTimeoutMs: 50 })).to.equal('timeout');
    expect(classifyEgressError(new DOMException('too late', 'TimeoutError'))).to.equal('timeout');
  });

  it('reset: the destination hangs up before or within its response', async () => {
    await using before = await record(
      http((request) => request.socket.destroy()),
      '127.0.0.1',
    );
    const cut = (socket: Socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'));
    await using within = await record(raw(cut), '127.0.0.1');
    for (const { port } of [before, within])
      expect(await outcomeOf(`http://127.0.0.1:${port}`)).to.equal('reset');
  });

  const brokenResponses = [
    'SSH-2.0-OpenSSH_9.2\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 200 OK\r\nbad header\r\n\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde',
  ];
  for (const response of brokenResponses) {
    it(`protocol: ${JSON.stringify(response.slice(0, 60))} is no response`, async () => {
      await using server = await record(
        raw((socket) => socket.once('data', () => socket.end(response))),
        '127.0.0.1',
      );
      expect(await outcomeOf(`http://127.0.0.1:${server.port}`)).to.equal('protocol');
    });
  }

  it('request: the request cannot be written as HTTP, and nothing is sent', async () => {
    await using server = await record(http(), '127.0.0.1');
    const origin = `http://127.0.0.1:${server.port}`;
    const unwritable = [
      ['bad name', 'x'],
      ['x', 'a\r\nb: c'],
      ['x', 'a\u0000'],
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', 'x'],
      ['Expect', 'x'],
    ];
    for (const headers of unwritable)
      expect(await outcomeOf(origin, {}, headers), headers[0]).to.equal('request');
    expect(server.requests).to.deep.equal([]);
  });

  it('aborted and closed: our own side ended it', async () => {
    await using silent = await record(
      http(() => {}),
      '127.0.0.1',
    );
    const origin = `http://127.0.0.1:${silent.port}`;
    const dispatcher = createGuardedDispatcher({ policy });
    const abort = new AbortController();
    const aborting = dispatcher.request({ origin, path: '/', method: 'GET', signal: abort.signal });
    abort.abort();
    expect(classifyEgressError(await aborting.catch((error: unknown) => error))).to.equal('aborted');
    const waiting = dispatcher.request({ origin, path: '/', method: 'GET' }).catch((error: unknown) => error);
    await dispatcher.destroy();
    expect(classifyEgressError(await waiting)).to.equal('closed');
    const after = dispatcher.request({ origin, path: '/', method: 'GET' }).catch((error: unknown) => error);
    expect(classifyEgressError(await after)).to.equal('closed');
  });

  it('unknown: an error that is no failure of a request', () => {
    for (const error of [
      undefined,
      null,
      'x',
      {},
      new Error('x'),
      Object.assign(new Error('x'), { code: 1 }),
    ]) {
      expect(classifyEgressError(error)).to.equal('unknown');
    }
  });
});

describe('the environment', () => {
  const script = `
    import { createEgressPolicy } from '@glovebox/egress/egress-policy';
    import { createGuardedDispatcher } from '@glovebox/egress/guarded-dispatcher';
    import { classifyEgressError } from '@glovebox/egress/classify-egress-error';
    const dispatcher = createGuardedDispatcher({ policy: createEgressPolicy({ profile: 'development' }) });
    for (const origin of process.argv.slice(1)) {
      const outcome = await dispatcher.request({ origin, path: '/', method: 'GET' }).then(({ statusCode }) => statusCode, classifyEgressError);
      console.log(outcome);
    }
    await dispatcher.destroy();
  `;

  it('sends nothing through a proxy it names, and does not turn certificate checks off', async () => {
    await using proxy = await record(http(), '127.0.0.1');
    await using plain = await record(http(), '127.0.0.1');
    await using secure = await record(https(), '127.0.0.1');
    const address = `http://127.0.0.1:${proxy.port}`;
    const proxies = {
      HTTP_PROXY: address,
      HTTPS_PROXY: address,
      http_proxy: address,
      https_proxy: address,
      ALL_PROXY: address,
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--conditions=source',
        '--input-type=module',
        '-e',
        script,
        `http://127.0.0.1:${plain.port}`,
        `https://localhost:${secure.port}`,
      ],
      {
        cwd: join(import.meta.dirname, '..'),
        env: { ...proxies, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      },
    );
    expect(stdout.trim().split('\n')).to.deep.equal(['200', 'tls']);
    expect(proxy.connections()).to.equal(0);
  });
});
