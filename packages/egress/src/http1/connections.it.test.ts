import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';

import { expect } from 'chai';
import type { Dispatcher } from 'undici';

import { classifyEgressError } from '../classify-egress-error.ts';
import { Http1Dispatcher, type Http1Settings } from './http1-dispatcher.ts';

/** One connection as the server sees it: what came on it, in Latin-1. */
interface Seen {
  readonly socket: Socket;
  text: string;
}

const answerOf = (word: string, more = '') =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${word.length}\r\n\r\n${word}`;
/** The path of the request that came last. */
const lastPath = (text: string) => /.*^[A-Z]+ \/(\S*) HTTP/ms.exec(text)?.[1] ?? '';

/** A server below HTTP, and a client of it. By default it answers each request with its path. */
async function start(
  settings: Partial<Http1Settings> = {},
  serve: (seen: Seen, part: string) => void = (seen, part) => {
    if (/^[A-Z]+ \//.test(part)) seen.socket.write(answerOf(lastPath(part)));
  },
) {
  const seen: Seen[] = [];
  const sockets: Socket[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    const one: Seen = { socket, text: '' };
    seen.push(one);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      one.text += bytes.toString('latin1');
      serve(one, bytes.toString('latin1'));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const dispatcher = new Http1Dispatcher({
    headersMs: 10_000,
    bodyMs: 10_000,
    maxWaitMs: 10_000,
    keepAliveMs: 4000,
    keepAliveMaxMs: 30_000,
    maxConnections: 256,
    connect: ({ port }, callback) => {
      const socket = connect(Number(port), '127.0.0.1', () => callback(null, socket));
      sockets.push(socket);
    },
    ...settings,
  });
  const origin = `http://localhost:${port}`;
  const request = (path: string, options: Partial<Dispatcher.RequestOptions> = {}) =>
    dispatcher.request({ origin, path, method: 'GET', ...options });
  return {
    seen,
    sockets,
    origin,
    dispatcher,
    request,
    text: async (path: string, options: Partial<Dispatcher.RequestOptions> = {}) =>
      (await request(path, options)).body.text(),
    outcome: (path: string, options: Partial<Dispatcher.RequestOptions> = {}) =>
      request(path, options)
        .then(({ body }) => body.text())
        .catch(classifyEgressError),
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
      for (const { socket } of seen) socket.destroy();
      server.close();
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

async function* parts(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) {
    await turn();
    yield Buffer.from(text);
  }
}

describe('a connection', () => {
  it('is used for one request after the other, each written at once with its body', async () => {
    await using server = await start();
    for (const body of ['first', 'second']) {
      expect(await server.text(`/${body}`, { method: 'POST', body })).to.equal(body);
    }
    expect(server.seen).to.have.length(1);
    const [{ text } = { text: '' }] = server.seen;
    expect(text).to.equal(
      ['first', 'second']
        .map((body) => {
          const host = new URL(server.origin).host;
          return `POST /${body} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
        })
        .join(''),
    );
  });

  const unasked: Readonly<Record<string, string>> = {
    'a whole answer': answerOf('forged'),
    'the begin of an answer': 'HTTP/1.1 200 OK\r\nContent-Le',
    'a line end': '\r\n',
    'an interim answer': 'HTTP/1.1 100 Continue\r\n\r\n',
  };
  for (const [what, bytes] of Object.entries(unasked)) {
    it(`on which ${what} came unasked is not used again`, async () => {
      await using server = await start();
      expect(await server.text('/one')).to.equal('one');
      server.seen[0]?.socket.write(bytes);
      await once(server.sockets[0] as Socket, 'close');
      expect(await server.text('/two')).to.equal('two');
      expect(server.seen).to.have.length(2);
    });

    it(`on which ${what} comes while the next request is not yet written does not take it`, async () => {
      await using server = await start({ maxConnections: 1 });
      expect(await server.text('/one')).to.equal('one');
      const [client] = server.sockets as [Socket];
      // As if it came with the poll after which the request is written.
      const next = server.text('/two', { method: 'POST', body: 'x' });
      client.emit('data', Buffer.from(bytes));
      expect(await next).to.equal('two');
      expect(server.seen[0]?.text).to.not.contain('/two');
      expect(server.seen[1]?.text.match(/POST \/two/g)).to.have.length(1);
    });

    it(`on which ${what} comes behind an answer gives that answer, and no other`, async () => {
      await using server = await start({}, (seen, part) =>
        seen.socket.write(answerOf(lastPath(part)) + bytes),
      );
      expect(await server.text('/one')).to.equal('one');
      expect(await server.text('/two')).to.equal('two');
      expect(server.seen).to.have.length(2);
    });
  }

  it('rests through a whole poll before its next request: what comes right behind an answer is seen', async () => {
    await using server = await start({ maxConnections: 1 }, ({ socket }, part) => {
      socket.write(answerOf(lastPath(part)));
      if (lastPath(part) === 'one') setImmediate(() => socket.write(answerOf('forged')));
    });
    const all = await Promise.all(['one', 'two', 'three'].map((word) => server.outcome(`/${word}`)));
    expect(all[0]).to.equal('one');
    // Nobody can tell bytes that come still later from an answer, but no request gets a forged one from before it was written.
    expect(all.slice(1)).to.not.include('forged');
  });

  it('is not trusted when it speaks before the first request', async () => {
    await using server = await start();
    const early = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(answerOf('forged'));
    });
    await once(early.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://localhost:${(early.address() as AddressInfo).port}`;
    expect(await server.outcome('/one', { origin, method: 'POST', body: 'x' })).to.equal('protocol');
    early.close();
  });

  const closing: Readonly<Record<string, (path: string) => string>> = {
    'that it should be closed': (path) => answerOf(path, 'Connection: x, CLOSE\r\n'),
    'HTTP/1.0': (path) => answerOf(path).replace('1.1', '1.0'),
    'that it is kept for two seconds': (path) => answerOf(path, 'Keep-Alive: timeout=2\r\n'),
    'a length with 204': () => 'HTTP/1.1 204 None\r\nContent-Length: 3\r\n\r\n',
    'chunks with 304': () => 'HTTP/1.1 304 Same\r\nTransfer-Encoding: chunked\r\n\r\n',
  };
  for (const [what, answer] of Object.entries(closing)) {
    it(`is not used again after an answer that says ${what}`, async () => {
      await using server = await start({}, ({ socket }, part) => socket.write(answer(lastPath(part))));
      await server.text('/one');
      await server.text('/two');
      expect(server.seen).to.have.length(2);
    });
  }

  it('is not used again after HEAD, nor after a body that the method does not foresee', async () => {
    await using server = await start();
    await (await server.request('/one', { method: 'HEAD' })).body.dump();
    await server.text('/two', { method: 'DELETE', body: 'x' });
    await server.text('/three');
    expect(server.seen.map(({ text }) => lastPath(text))).to.deep.equal(['one', 'two', 'three']);
  });

  it('that the destination closed while it was idle is not used', async () => {
    await using server = await start();
    await server.text('/one');
    server.seen[0]?.socket.end();
    await once(server.sockets[0] as Socket, 'close');
    expect(await server.text('/two', { method: 'POST', body: 'x' })).to.equal('two');
  });

  it('that closes on a written request fails it: nothing is sent twice', async () => {
    await using server = await start({}, ({ socket }, part) => {
      if (lastPath(part) === 'one') socket.write(answerOf('one'));
      else socket.destroy();
    });
    await server.text('/one');
    expect(await server.outcome('/two')).to.equal('reset');
    expect(server.seen.map(({ text }) => text.match(/GET \/two/g)?.length ?? 0)).to.deep.equal([1]);
  });

  it('is closed after it was idle for as long as it is kept, or as the destination says', async () => {
    await using server = await start({ keepAliveMs: 50 });
    await server.text('/one');
    await once(server.sockets[0] as Socket, 'close');
    await using hinting = await start({}, ({ socket }, part) =>
      socket.write(answerOf(lastPath(part), 'Keep-Alive: timeout=3\r\n')),
    );
    await hinting.text('/one');
    await pause(600);
    expect(await hinting.text('/two')).to.equal('two');
    expect(hinting.seen).to.have.length(1);
    await once(hinting.sockets[0] as Socket, 'close');
  });
});

describe('a body that comes in parts', () => {
  it('is sent in chunks, or with the length that was announced', async () => {
    await using server = await start({}, ({ socket, text }) => {
      if (text.endsWith('0\r\n\r\n') || text.endsWith('abcde')) socket.write(answerOf('ok'));
    });
    const post = (headers: string[]) =>
      server.text('/', { method: 'POST', body: parts('abc', '', 'de') as never, headers });
    expect(await post([])).to.equal('ok');
    expect(await post(['Content-Length', '5'])).to.equal('ok');
    const [{ text } = { text: '' }] = server.seen;
    expect(text).to.match(/transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\nPOST/);
    expect(text).to.match(/content-length: 5\r\n\r\nabcde$/);
  });

  it('that is empty is none', async () => {
    await using server = await start();
    expect(await server.text('/one', { method: 'POST', body: parts('') as never })).to.equal('one');
    expect(server.seen[0]?.text).to.match(/content-length: 0\r\n\r\n$/);
  });

  for (const length of ['0', '4', '6']) {
    it(`and is not as long as announced breaks the connection off: ${length}`, async () => {
      await using server = await start({}, () => undefined);
      const body = parts('abc', 'de') as never;
      const headers = ['Content-Length', length];
      expect(await server.outcome('/', { method: 'POST', body, headers })).to.equal('request');
      expect(server.seen[0]?.text ?? '').to.not.contain('abcde');
    });
  }

  it('takes no connection before its first part has come', async () => {
    await using server = await start({ maxConnections: 1 });
    let come: () => void = () => undefined;
    const late = (async function* late() {
      await new Promise<void>((resolve) => (come = resolve));
      yield Buffer.from('x');
    })();
    const posted = server.outcome('/late', { method: 'POST', body: late as never });
    expect(await server.text('/one')).to.equal('one');
    come();
    expect(await posted).to.equal('late');
  });

  it('is answered early: the answer is passed on, the rest is not sent, and the connection is closed', async () => {
    await using server = await start({}, ({ socket, text }, part) => {
      if (part.startsWith('POST')) socket.write(answerOf('early'));
      else if (text.startsWith('GET')) socket.write(answerOf('one'));
    });
    let hasLeft = false;
    const endless = (async function* endless() {
      try {
        for (;;) {
          await turn();
          yield Buffer.alloc(1000);
        }
      } finally {
        hasLeft = true;
      }
    })();
    expect(await server.text('/', { method: 'POST', body: endless as never })).to.equal('early');
    expect(server.sockets[0]?.destroyed).to.equal(true);
    await until(() => hasLeft);
    expect(await server.text('/one')).to.equal('one');
    expect(server.seen).to.have.length(2);
  });

  it('waits for a destination that does not read, and ends when that lasts', async () => {
    await using server = await start({ headersMs: 300 }, ({ socket }) => socket.pause());
    let count = 0;
    const endless = (async function* endless() {
      for (; count < 1000; count += 1) yield Buffer.alloc(64 * 1024);
    })();
    expect(await server.outcome('/', { method: 'POST', body: endless as never })).to.equal('timeout');
    expect(count).to.be.lessThan(1000);
  });

  it('that fails ends the request with its error', async () => {
    await using server = await start({}, () => undefined);
    const failing = (async function* failing() {
      yield Buffer.from('x');
      await until(() => server.seen.length > 0);
      throw new Error('broken off');
    })();
    const error = await server
      .request('/', { method: 'POST', body: failing as never })
      .catch((e: unknown) => e);
    expect(error).to.have.property('message', 'broken off');
  });
});

describe('the connections of an origin', () => {
  it('are dialled 16 at a time, however many requests wait', async () => {
    let [dials, most] = [0, 0];
    await using server = await start({
      connect: ({ port }, callback) => {
        most = Math.max(most, (dials += 1));
        const socket = connect(Number(port), '127.0.0.1', () => {
          setTimeout(() => {
            dials -= 1;
            callback(null, socket);
          }, 5);
        });
      },
    });
    const all = await Promise.all(Array.from({ length: 100 }, (_, index) => server.text(`/${index}`)));
    expect(all).to.deep.equal(Array.from({ length: 100 }, (_, index) => String(index)));
    expect(most).to.equal(16);
  });

  it('are waited for, though not for ever, and nothing was sent then', async () => {
    await using server = await start({ maxConnections: 1, maxWaitMs: 100 }, () => undefined);
    const first = server.outcome('/one');
    expect(await server.outcome('/two')).to.equal('connect');
    expect(server.seen[0]?.text).to.not.contain('/two');
    await server.dispatcher.destroy();
    expect(await first).to.equal('closed');
  });

  it('are given up in time where the destination never accepts one, and no more than 16 are dialled', async () => {
    let dials = 0;
    const connect = () => void (dials += 1);
    await using server = await start({ maxWaitMs: 100, connect });
    const all = await Promise.all(Array.from({ length: 40 }, (_, index) => server.outcome(`/${index}`)));
    expect(new Set(all)).to.deep.equal(new Set(['connect']));
    expect(dials).to.equal(16);
  });

  it('leave a request that waits when it is aborted', async () => {
    await using server = await start({ maxConnections: 1 }, ({ socket }, part) => {
      setTimeout(() => socket.write(answerOf(lastPath(part))), 50);
    });
    const first = server.text('/one');
    const abort = new AbortController();
    const second = server.outcome('/two', { signal: abort.signal });
    abort.abort();
    expect(await second).to.equal('aborted');
    expect(await first).to.equal('one');
    expect(await server.text('/three')).to.equal('three');
    expect(server.seen[0]?.text).to.not.contain('/two');
  });

  it('that cannot be made fail one request each', async () => {
    let dials = 0;
    await using server = await start({
      connect: (_target, callback) => setTimeout(() => callback(new Error(`dial ${(dials += 1)}`), null), 1),
    });
    const errors = await Promise.all(
      Array.from({ length: 40 }, () => server.request('/').catch((error: Error) => error.message)),
    );
    expect(new Set(errors)).to.have.property('size', 40);
    expect(dials).to.equal(40);
  });
});

describe('an answer that is taken slowly', () => {
  it('is read no further while its handler pauses, and then to its end', async () => {
    const size = 8 * 1024 * 1024;
    await using server = await start({}, ({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, 'x'));
    });
    const { body } = await server.request('/');
    await once(body, 'readable');
    const { bytesRead } = server.sockets[0] as Socket;
    await pause(50);
    expect((server.sockets[0] as Socket).bytesRead).to.be.lessThan(bytesRead + 1024 * 1024);
    expect((await body.text()).length).to.equal(size);
  });

  it('is cut when the handler gives up, and so is its connection', async () => {
    await using server = await start({}, ({ socket }) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'),
    );
    const { body } = await server.request('/');
    body.on('error', () => undefined);
    body.destroy();
    await until(() => server.sockets[0]?.destroyed === true);
  });

  it('has no limit of time while it is paused, and one of body otherwise', async () => {
    await using server = await start({ bodyMs: 100 }, ({ socket }) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(2_000_000)}`),
    );
    const { body } = await server.request('/');
    await pause(800);
    expect(body.errored).to.equal(null);
    expect(await body.text().catch(classifyEgressError)).to.equal('timeout');
  });
});

describe('the client', () => {
  it('that is closed ends what runs, and takes nothing more', async () => {
    await using server = await start({}, ({ socket }, part) => {
      setTimeout(() => socket.write(answerOf(lastPath(part))), 50);
    });
    const running = server.text('/one');
    const closed = server.dispatcher.close();
    expect(await server.outcome('/two')).to.equal('closed');
    expect(await running).to.equal('one');
    await closed;
    expect(server.sockets.every(({ destroyed }) => destroyed)).to.equal(true);
  });

  it('tells a handler that fails of its own error, and goes on', async () => {
    await using server = await start();
    for (const name of ['onResponseStart', 'onResponseData', 'onResponseEnd']) {
      const error = await new Promise((resolve) => {
        const fail = () => {
          throw new Error(name);
        };
        server.dispatcher.dispatch(
          { origin: server.origin, path: '/one', method: 'GET' },
          { [name]: fail, onResponseError: (_controller, error) => resolve(error) },
        );
      });
      expect(error).to.have.property('message', name);
    }
    expect(await server.text('/two')).to.equal('two');
  });

  it('keeps no origin that is not used', async () => {
    await using server = await start({ keepAliveMs: 1 });
    await server.text('/one');
    await once(server.sockets[0] as Socket, 'close');
    expect(await server.text('/two')).to.equal('two');
    expect(server.seen).to.have.length(2);
  });
});
