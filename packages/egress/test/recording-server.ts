import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

/** The certificate that only tests trust, and its key. */
export const testCertificate = readFileSync(join(import.meta.dirname, 'tls/certificate.pem'), 'utf8');
const testKey = readFileSync(join(import.meta.dirname, 'tls/key.pem'), 'utf8');

export interface SeenRequest {
  readonly host: string | undefined;
  readonly path: string | undefined;
  readonly servername: string | undefined;
}

/** A listening server that knows every TCP connection and every request that reached it. */
export interface RecordingServer extends AsyncDisposable {
  readonly port: number;
  readonly connections: () => number;
  readonly requests: readonly SeenRequest[];
}

async function listen(server: NetServer, address: string, port: number): Promise<() => Set<Socket>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(port, address);
  await once(server, 'listening');
  return () => sockets;
}

/** Records what reaches a server that is not listening yet; disposing of it cuts every connection. */
export async function record(server: NetServer, address: string, port = 0): Promise<RecordingServer> {
  const requests: SeenRequest[] = [];
  server.prependListener('request', ({ headers, url, socket }: IncomingMessage) => {
    const name = socket instanceof TLSSocket && socket.servername !== false ? socket.servername : undefined;
    requests.push({ host: headers.host, path: url, servername: name ?? undefined });
  });
  const sockets = await listen(server, address, port);
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets().size,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets()) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/**
 * Two of them on one port of two addresses. A port that is free at the first may be in use at the second; then another one
 * is tried.
 */
export async function recordBoth(
  make: () => NetServer,
  [first, second]: readonly [string, string],
): Promise<readonly [RecordingServer, RecordingServer]> {
  for (;;) {
    const one = await record(make(), first);
    try {
      return [one, await record(make(), second, one.port)];
    } catch (error) {
      await one[Symbol.asyncDispose]();
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

const answerOk: RequestListener = (_request, response) => void response.end('ok');

/** An http server that is not listening yet. */
export function http(answer: RequestListener = answerOk): Server {
  return createHttpServer(answer);
}

/** An https server with the test certificate that is not listening yet. */
export function https(answer: RequestListener = answerOk, options: ServerOptions = {}): NetServer {
  return createHttpsServer({ cert: testCertificate, key: testKey, ...options }, answer);
}
