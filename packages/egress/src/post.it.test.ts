import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { classifyEgressError } from './classify-egress-error.ts';
import { createEgressPolicy } from './egress-policy.ts';
import { createGuardedDispatcher } from './guarded-dispatcher.ts';
import { post } from './post.ts';

/** A server that answers like this, and what a POST to it comes to. */
async function postTo(answer: (response: ServerResponse) => void, timeoutMs = 5000) {
  const seen: { url: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      seen.push({ url: request.url, body });
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dispatcher = createGuardedDispatcher({ policy: createEgressPolicy({ profile: 'development' }) });
  const url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/a?b=c`);
  try {
    const outcome = await post(dispatcher, { url, headers: { 'X-A': '1' }, body: 'ä', timeoutMs }).catch(
      classifyEgressError,
    );
    return { outcome, seen };
  } finally {
    await dispatcher.destroy();
    server.closeAllConnections();
    server.close();
  }
}

describe('post', () => {
  it('gives the status of the answer, whatever its body is', async () => {
    const endless = (response: ServerResponse) => {
      response.writeHead(201);
      const more = () => response.destroyed || response.write(Buffer.alloc(65_536), more);
      more();
    };
    for (const answer of [(response: ServerResponse) => response.writeHead(201).end('x'), endless]) {
      const { outcome, seen } = await postTo(answer);
      expect(outcome).to.equal(201);
      expect(seen).to.deep.equal([{ url: '/a?b=c', body: 'ä' }]);
    }
  });

  it('follows no redirect', async () => {
    const { outcome, seen } = await postTo((response) =>
      response.writeHead(307, { Location: '/elsewhere' }).end(),
    );
    expect(outcome).to.equal(307);
    expect(seen).to.have.length(1);
  });

  it('waits for an answer no longer than it may', async () => {
    expect((await postTo(() => undefined, 100)).outcome).to.equal('timeout');
  });
});
