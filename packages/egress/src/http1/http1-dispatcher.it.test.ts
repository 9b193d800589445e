import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { expect } from 'chai';

import { classifyEgressError } from '../classify-egress-error.ts';
import { Http1Dispatcher } from './http1-dispatcher.ts';

const head = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;
const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
const withFields = 'HTTP/1.1 100 Continue\r\nDate: today\r\n\r\n';
const alike = 'HTTP/1.1 100 percent of the body';

/**
 * A server that answers each request with these pieces, in Latin-1 and on one connection. Each is sent when the one
 * before it has been read.
 */
async function answering(pieces: readonly string[]) {
  let client: Socket | undefined;
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', (chunk: Buffer) => {
      if (chunk.includes('POST /')) void answer(socket);
    });
    socket.on('error', () => undefined);
  });
  async function answer(socket: Socket): Promise<void> {
    for (const piece of pieces) {
      const { bytesRead } = client as Socket;
      socket.write(piece, 'latin1');
      while (!socket.destroyed && (client as Socket).bytesRead < bytesRead + piece.length) await turn();
    }
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const dispatcher = new Http1Dispatcher({
    ...settings,
    maxConnections: 1,
    connect: ({ hostname, port }, callback) => {
      const socket = connect(Number(port), hostname, () => callback(null, (client = socket)));
    },
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async post(body: string) {
      const answer = await dispatcher.request({ origin, path: '/', method: 'POST', body });
      return { status: answer.statusCode, phrase: answer.statusText, text: await answer.body.text() };
    },
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
      server.close();
    },
  };
}

const settings = {
  headersMs: 10_000,
  bodyMs: 10_000,
  maxWaitMs: 10_000,
  keepAliveMs: 4000,
  keepAliveMaxMs: 30_000,
  maxConnections: 256,
};

const ok = { status: 200, phrase: 'OK', text: '{}' };

describe('a request that expects nothing', () => {
  const answers: Readonly<Record<string, readonly string[]>> = {
    'before the answer': [interim, head(2), '{}'],
    'in one packet with it': [interim + head(2) + '{}'],
    'with fields, and more than once': [withFields + interim, interim, head(2) + '{}'],
    'in pieces': ['HTTP/1.1 100 Continue\r\nDate: to', `day\r\n\r\n${head(2)}{}`],
    'that announces a body and the end of the connection': [
      `HTTP/1.1 100 \r\nContent-Length: 5\r\nConnection: close\r\n\r\n${head(2)}{}`,
    ],
    'of HTTP/1.0, and without a phrase': [`HTTP/1.0 100 \r\n\r\nHTTP/1.1 100\r\n\r\n${head(2)}{}`],
    'after empty lines and other interim answers': [
      `\r\n\r\nHTTP/1.1 103 \r\n\r\n\r\n${interim}${head(2)}{}`,
    ],
  };
  for (const [where, pieces] of Object.entries(answers)) {
    it(`passes over 100 (Continue) ${where}, each time`, async () => {
      await using server = await answering(pieces);
      for (const body of ['first', 'second']) expect(await server.post(body)).to.deep.equal(ok);
    });
  }

  it('gets a body as it is that looks like one', async () => {
    await using server = await answering([head(2 * alike.length), alike, alike]);
    expect(await server.post(alike)).to.include({ status: 200, text: alike + alike });
  });
});

describe('an answer', () => {
  const phrase = 'N\u00e3o \u00c3\u00a3 encontrado';
  const whole = `${interim}HTTP/1.1 103\r\n\r\n${withFields}HTTP/1.1 404 ${phrase}\r\nContent-Length: 2\r\n\r\n{}`;

  it('is the same wherever its bytes are parted', async () => {
    for (let at = 1; at < whole.length; at += 1) {
      await using server = await answering([whole.slice(0, at), whole.slice(at)]);
      expect(await server.post('first'), String(at)).to.deep.equal({ status: 404, phrase, text: '{}' });
      expect(await server.post('second'), String(at)).to.deep.equal({ status: 404, phrase, text: '{}' });
    }
  });

  it('is the same when each byte comes alone', async () => {
    await using server = await answering([...whole]);
    expect(await server.post('one')).to.deep.equal({ status: 404, phrase, text: '{}' });
  });

  const broken: Readonly<Record<string, readonly string[]>> = {
    'with more than 100 interim answers': [interim.repeat(60), interim.repeat(60)],
    'with large interim answers': [
      'HTTP/1.1 103 \r\n',
      ...Array<string>(70).fill(`Link: ${'x'.repeat(1000)}\r\n`),
    ],
    'with a status line that does not end': ['HTTP/1.1 200 ', 'O'.repeat(5000), 'K'.repeat(5000)],
    'with a status line of more than 8 KiB at once': [head(2).replace('OK', 'O'.repeat(8200))],
    'with an interim status line of more than 8 KiB': [
      `HTTP/1.1 103 ${'E'.repeat(8200)}\r\n\r\n${head(2)}{}`,
    ],
    'with a status below 100': [head(2).replace('200', '099')],
    'with a status below 100 in pieces': ['HTTP/1.1 0', '12 OK\r\n\r\n'],
    'that switches protocols': ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n', '{}'],
    'that switches to no protocol': [head(2).replace('200', '101'), '{}'],
    'without any status': ['HTTP/1.1 \r\n', '\r\n'],
    'that begins with something else': ['H2'],
  };
  for (const [what, pieces] of Object.entries(broken)) {
    it(`${what} is an error of the protocol`, async () => {
      await using server = await answering(pieces);
      const outcome: unknown = await server.post('request').then(({ status }) => status, classifyEgressError);
      expect(outcome).to.equal('protocol');
    });
  }
});
