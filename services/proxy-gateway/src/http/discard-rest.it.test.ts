import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { expect } from 'chai';

import { discardRest } from './discard-rest.ts';

/** Answers at once to a client that has announced more than it has sent; gives all that the client received. */
async function answerEarly(send: (socket: ReturnType<typeof connect>) => void): Promise<string> {
  const server = createServer((request, response) => {
    response.end('no');
    discardRest(request, 50);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  client.on('data', (chunk: Buffer) => (received += chunk.toString()));
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
  await once(client, 'data');
  send(client);
  await once(client, 'close');
  server.close();
  return received;
}

describe('what a client still sends after its answer', () => {
  it('is not waited for without end: the connection ends, after the answer', async () => {
    expect(await answerEarly(() => undefined)).to.match(/^HTTP\/1\.1 200 OK/);
  });

  it('is thrown away, and the connection serves the next request', async () => {
    const received = await answerEarly((client) => {
      client.write('defghijGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    });
    expect(received.match(/HTTP\/1\.1 200 OK/g)).to.have.length(2);
  });
});
