import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import type { Edge } from './exchange.ts';
import { createRequestListener } from './request-listener.ts';
import type { RequestObserver } from './request-observer.ts';
import { createRouter } from './router.ts';

const edge = { aliases: true, rates: undefined, origins: undefined, serverTiming: false } as unknown as Edge;
const refuse = (): never => {
  throw new TypeError('refused');
};

describe('the request listener', () => {
  /** The answer to a request for an unknown address, and its log lines. */
  async function serve(changed: Partial<RequestObserver>, prepare: (response: ServerResponse) => void) {
    const failures: unknown[] = [];
    const quiet = { began: () => undefined, ended: () => undefined };
    const observer = { ...quiet, failed: (cause: unknown) => failures.push(cause), ...changed };
    const listener = createRequestListener(createRouter([], {}), observer as RequestObserver, edge, {
      requireRoom: () => undefined,
    });
    const served = Promise.withResolvers<void>();
    const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
      prepare(response);
      served.resolve(listener(incoming, response));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, host: '127.0.0.1', path: '/nowhere', agent: false }).end();
    const ended = once(sent, 'response').then(
      ([answer]: IncomingMessage[]) => {
        answer?.resume();
        return answer?.statusCode;
      },
      (error: NodeJS.ErrnoException) => error.code,
    );
    await served.promise;
    const outcome = await ended;
    server.close();
    return { outcome, failures: failures.map((failure) => (failure as Error).message) };
  }

  it('cuts the connection when the error cannot be answered either', async () => {
    const ended = await serve({}, (response) => Object.assign(response, { writeHead: refuse }));
    expect(ended).to.deep.equal({ outcome: 'ECONNRESET', failures: ['refused'] });
  });

  it('cuts the connection when the request cannot even begin', async () => {
    expect(await serve({ began: refuse }, () => undefined)).to.deep.equal({
      outcome: 'ECONNRESET',
      failures: ['refused'],
    });
  });

  it('leaves an answer that is given when the request cannot be noted', async () => {
    expect(await serve({ ended: refuse }, () => undefined)).to.deep.equal({
      outcome: 404,
      failures: ['refused'],
    });
  });
});
