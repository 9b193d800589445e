import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { expect } from 'chai';

import { discardRest } from './respond.ts';

describe('discardRest', () => {
  /** Answers at once, with `giveUp` done to the request, to a client that goes on sending. */
  async function answerEarly(giveUp: (request: IncomingMessage) => void) {
    const server = createServer((request, response) => {
      const { socket } = request;
      giveUp(request);
      // As after a wait for the destination: the events of giving up are over.
      setImmediate(() => {
        response.end('no');
        discardRest(request, socket, 50);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc');
    await once(client, 'close');
    server.close();
    return answer;
  }

  it('ends the connection of a client that goes on sending, after it has its answer', async () => {
    expect(await answerEarly(() => undefined)).to.match(/^HTTP\/1\.1 200 OK/);
  });

  it('ends it too when undici has given the body up and taken the socket from the request', async () => {
    const answer = await answerEarly((request) => {
      Object.assign(request, { socket: null });
      request.destroy();
    });
    expect(answer).to.match(/^HTTP\/1\.1 200 OK/);
  });
});
