import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { expect } from 'chai';

import { createEgressPolicy } from './egress-policy.ts';
import { createGuardedDispatcher } from './guarded-dispatcher.ts';

const head = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;
const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
const withFields = 'HTTP/1.1 100 Continue\r\nDate: today\r\n\r\n';
const alike = 'HTTP/1.1 100 percent of the body';

/** A server that answers each request with these pieces, each in a packet of its own, on one connection. */
async function answering(pieces: readonly string[]) {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.includes('POST /')) return;
      const send = ([piece, ...rest]: readonly string[]) => {
        if (piece === undefined) return;
        socket.write(piece, () => setImmediate(() => send(rest)));
      };
      send(pieces);
    });
    socket.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const dispatcher = createGuardedDispatcher({
    policy: createEgressPolicy({ profile: 'development' }),
    maxConnectionsPerOrigin: 1,
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async post(body: string) {
      const answer = await dispatcher.request({ origin, path: '/', method: 'POST', body });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
      server.close();
    },
  };
}

describe('a request that expects nothing', () => {
  const answers: Readonly<Record<string, readonly string[]>> = {
    'before the answer': [interim, head(2), '{}'],
    'in one packet with it': [interim + head(2) + '{}'],
    'with fields, and more than once': [withFields + interim, interim, head(2) + '{}'],
    'in pieces': ['HTTP/1.1 100 Continue\r\nDate: to', `day\r\n\r\n${head(2)}{}`],
  };
  for (const [where, pieces] of Object.entries(answers)) {
    it(`passes over 100 (Continue) ${where}, each time`, async () => {
      await using server = await answering(pieces);
      for (const body of ['first', 'second']) {
        expect(await server.post(body)).to.deep.equal({ status: 200, text: '{}' });
      }
    });
  }

  it('gets a body as it is that looks like one', async () => {
    await using server = await answering([head(2 * alike.length), alike, alike]);
    expect(await server.post(alike)).to.deep.equal({ status: 200, text: alike + alike });
  });
});
