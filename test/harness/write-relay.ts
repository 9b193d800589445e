import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Stands between a program and a system. When a write of the program has taken effect, and before its answer is given, the
 * program gets a signal.
 */
export async function writeRelay(base: string): Promise<
  {
    readonly url: string;
    /** The program to which the next write sends a signal. */
    target: { readonly child: ChildProcess; readonly signal: NodeJS.Signals } | undefined;
  } & AsyncDisposable
> {
  const server = createServer((request, response) => {
    const relay = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const answer = await fetch(new URL(request.url ?? '', base), {
        method: request.method ?? 'GET',
        headers: Object.entries(headers) as [string, string][],
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      const text = await answer.text();
      if (request.method !== 'GET' && relayed.target !== undefined) {
        const { child, signal } = relayed.target;
        relayed.target = undefined;
        child.kill(signal);
        if (signal === 'SIGKILL') throw new Error('the answer is lost');
      }
      const tag = answer.headers.get('ETag');
      response.writeHead(answer.status, {
        'Content-Type': 'application/json',
        ...(tag === null ? {} : { ETag: tag }),
      });
      response.end(text);
    };
    relay().catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const relayed = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: undefined as { readonly child: ChildProcess; readonly signal: NodeJS.Signals } | undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return relayed;
}
