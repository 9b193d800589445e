import { readFileSync } from 'node:fs';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  createServer as createHttpServer,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../packages/egress/test/tls/', import.meta.url));

/** For `localhost`; only tests trust it. */
export const certificateFile = `${folder}certificate.pem`;
export const certificate = readFileSync(certificateFile, 'utf8');
export const key = readFileSync(`${folder}key.pem`, 'utf8');

export interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** That are open now. */
  readonly open: Set<Socket>;
  /** That have ever been made. */
  connections(): number;
}

export async function listen(server: NetServer, scheme = 'http', address = '127.0.0.1'): Promise<TestServer> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, address, listening));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://localhost:${port}`,
    open,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export function http(listener: RequestListener): Server {
  return createHttpServer({ keepAliveTimeout: 60_000 }, listener);
}

export function https(listener: RequestListener, options: ServerOptions = {}): NetServer {
  return createHttpsServer({ cert: certificate, key, ...options }, listener);
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** User code's `send(url, options, body)`: an array of the response, the text of its body and the request. */
export const sendText = `
  const send = (url, options = {}, body) => new Promise((resolve, reject) => {
    const request = require(url.split(':')[0]).request(url, options, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve([response, Buffer.concat(parts), request]));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
  const told = (promise) => promise.then(() => 'no error', ({ message, code, errno, syscall, address, port }) =>
    JSON.parse(JSON.stringify({ message, code, errno, syscall, address, port })));
`;
