import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, createServer } from 'node:net';

import { EgressDenied } from '@glovebox/egress/egress-errors';
import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { createGuardedDispatcher } from '@glovebox/egress/guarded-dispatcher';
import { expect } from 'chai';

import { destinationError } from './destination-error.ts';

const policy = createEgressPolicy({ profile: 'development' });

/** What the caller of a request to this address reads. */
async function messageFor(origin: string, addresses?: readonly string[]): Promise<string> {
  const dispatcher = createGuardedDispatcher({
    policy,
    connectTimeoutMs: 200,
    ...(addresses === undefined ? {} : { resolve: async () => addresses }),
  });
  try {
    await dispatcher.request({ origin, path: '/', method: 'GET' });
    return 'answered';
  } catch (error) {
    const { code, message } = destinationError(error);
    expect(code).to.equal('bad_gateway');
    return message;
  } finally {
    await dispatcher.destroy();
  }
}

describe('what a caller reads about a destination that gives no answer', () => {
  let servers: Server[] = [];
  const listen = async (server: Server): Promise<number> => {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  afterEach(() => {
    for (const server of servers) server.close();
    servers = [];
  });

  it('is a sentence of its own for each step that fails', async () => {
    const silent = await listen(createServer((socket) => socket.on('error', () => {})));
    const plain = await listen(createHttpServer((_request, response) => response.end()));
    const rude = await listen(createServer((socket) => socket.once('data', () => socket.destroy())));
    const gone = await listen(createServer());
    servers.pop()?.close();
    const sentences = [
      [
        await messageFor('https://does-not-exist.example', []),
        /^The name of the destination could not be resolved\.$/,
      ],
      [
        await messageFor(`http://localhost:${gone}`, ['127.0.0.1', '127.0.0.2']),
        /^The destination refused the connection\.$/,
      ],
      [await messageFor(`https://localhost:${silent}`), /^The destination could not be reached: /],
      [
        await messageFor(`https://localhost:${plain}`),
        /^No secure connection could be made to the destination: /,
      ],
      [await messageFor(`http://localhost:${rude}`), /^The destination broke off the connection\.$/],
      [
        await messageFor('https://destination.example', ['10.1.2.3']),
        /^The destination is not one that requests may be sent to: .* egress rules/,
      ],
    ] as const;
    for (const [sentence, pattern] of sentences) expect(sentence).to.match(pattern);
    expect(new Set(sentences.map(([sentence]) => sentence))).to.have.property('size', sentences.length);
  });

  it('is why it may not be dialled, where that is clear from the name itself', () => {
    const error = destinationError(new EgressDenied('private-name', 'redis'));
    expect(error.code).to.equal('bad_gateway');
    expect(error.message).to.match(/cannot be public.*one label.*\.internal/);
  });

  it('names host and port for those who may know them, and nothing else', () => {
    const place = 'api.example.com:8443';
    const denied = new EgressDenied('deny-private', 'api.example.com');
    expect(destinationError(denied, undefined, place).message).to.match(
      /^The destination api\.example\.com:8443 is not one that/,
    );
    expect(destinationError(new EgressDenied('private-name', 'redis'), undefined, place).message).to.match(
      /^The host of the destination api\.example\.com:8443 cannot be public/,
    );
    // What was filled in is taken out of words that are not only our own.
    expect(destinationError(denied, undefined, place).fixed).to.equal(false);
    expect(destinationError(denied).fixed).to.equal(true);
  });

  it('is the same of every address that is refused, and holds neither address nor name', async () => {
    const refused = await Promise.all(
      ['10.1.2.3', '169.254.169.254', '127.0.0.1', '::1', 'fd00::1'].map((address) =>
        messageFor('https://destination.example', [address]),
      ),
    );
    expect(new Set(refused)).to.have.property('size', 1);
    expect(refused[0]).to.not.match(/\d|destination\.example|private|loopback|local/);
  });
});
