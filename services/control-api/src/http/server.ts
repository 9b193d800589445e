import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { type HttpDrain, type HttpDrainOptions, drainable } from '@glovebox/platform/http-drain';
import type { Express } from 'express';

export interface HttpServer extends HttpDrain {
  readonly port: number;
}

export interface HttpServerOptions extends HttpDrainOptions {
  readonly host: string;
  readonly port: number;
}

export async function startHttpServer(app: Express, options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5000,
  });
  server.on('request', app);
  server.on('clientError', refuse);
  const drain = drainable(server, options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    ...drain,
    port: (server.address() as AddressInfo).port,
  };
}

/** What is no HTTP never reaches the app; its answer has the common shape all the same. */
function refuse(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, title, detail] = refusalOf(error.code);
  const body = JSON.stringify({ errors: {}, title, status, detail });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function refusalOf(code: string | undefined): [status: number, title: string, detail: string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'Request Timeout', 'The request did not arrive in time.'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'Request Header Fields Too Large', 'The header is too large.'];
    default:
      return [400, 'Bad Request', 'The request is not valid HTTP.'];
  }
}
