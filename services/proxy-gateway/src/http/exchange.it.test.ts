import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { expect } from 'chai';

import { clientGoneSignal, isClientGone } from './exchange.ts';

describe('a client that goes away', () => {
  const cleanups: (() => void)[] = [];
  afterEach(() => {
    for (const cleanup of cleanups.splice(0)) cleanup();
  });

  /** A request that arrived, and the client's end of its connection. */
  async function request() {
    const server = createServer();
    cleanups.push(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    cleanups.push(() => client.destroy());
    client.on('error', () => undefined).resume();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return { client, response };
  }

  it('is noticed while its answer is awaited', async () => {
    const { client, response } = await request();
    const gone = clientGoneSignal(response);
    expect(gone.aborted).to.equal(false);
    client.destroy();
    await once(gone, 'abort');
    expect(isClientGone(response)).to.equal(true);
  });

  it('is noticed in the middle of its answer, and by who asks only afterwards', async () => {
    const { client, response } = await request();
    response.write('half');
    await once(client, 'data');
    client.destroy();
    await once(response, 'close');
    expect(clientGoneSignal(response).aborted).to.equal(true);
  });

  it('is not gone when it had its whole answer', async () => {
    const { response } = await request();
    const gone = clientGoneSignal(response);
    response.end('whole');
    await once(response, 'close');
    expect(gone.aborted).to.equal(false);
    expect(clientGoneSignal(response).aborted).to.equal(false);
  });
});
