import { once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { type HttpDrain, type HttpDrainOptions, drainable } from './drain.ts';

describe('a server that drains', () => {
  let handle: (response: ServerResponse) => void;
  let port: number;
  let drain: HttpDrain;
  const agent = new Agent({ keepAlive: true });
  after(() => agent.destroy());
  afterEach(() => drain[Symbol.asyncDispose]());

  async function start(options: Partial<HttpDrainOptions>): Promise<void> {
    handle = (response) => response.end('fine');
    const server = createServer((_request, response) => handle(response));
    drain = drainable(server, { delayMs: 0, timeoutMs: 20_000, ...options });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  const get = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, host: '127.0.0.1', agent }, resolve).on('error', reject).end();
    });

  /** What is answered, once the request has reached the handler. */
  async function held(): Promise<{ response: ServerResponse; answer: Promise<IncomingMessage> }> {
    const reached = Promise.withResolvers<ServerResponse>();
    handle = reached.resolve;
    const answer = get();
    return { response: await reached.promise, answer };
  }

  it('goes on as before for a while, and says everywhere that it leaves', async () => {
    await start({ delayMs: 2000 });
    expect(drain.unreadyReason()).to.equal(undefined);
    const before = await get();
    expect([before.headers.connection, await text(before)]).to.deep.equal(['keep-alive', 'fine']);
    const ended = drain[Symbol.asyncDispose]();
    expect(drain.unreadyReason()).to.equal('about to end');
    for (let sent = 0; sent < 2; sent += 1) {
      const answer = await get();
      expect([answer.headers.connection, await text(answer)]).to.deep.equal(['close', 'fine']);
    }
    await ended;
    expect((await get().catch((error: NodeJS.ErrnoException) => error)) as object).to.have.property(
      'code',
      'ECONNREFUSED',
    );
  });

  it('gives every answer, also those that were begun and have promised to keep their connection', async () => {
    await start({});
    const [waiting, begun] = [await held(), await held()];
    begun.response.write('so ');
    const answer = await begun.answer;
    const ended = drain[Symbol.asyncDispose]();
    waiting.response.end('late');
    begun.response.end('far');
    expect(await text(await waiting.answer)).to.equal('late');
    expect([answer.headers.connection, await text(answer)]).to.deep.equal(['keep-alive', 'so far']);
    await ended;
  });

  it('does not wait for connections on which nothing is asked', async () => {
    await start({});
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    await Promise.all([drain[Symbol.asyncDispose](), closed]);
  });

  it('cuts off what takes too long', async () => {
    await start({ timeoutMs: 100 });
    const { answer } = await held();
    const cut = answer.catch((error: NodeJS.ErrnoException) => error.code);
    await drain[Symbol.asyncDispose]();
    expect(await cut).to.equal('ECONNRESET');
  });
});
