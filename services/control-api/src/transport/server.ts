import { createServer } from 'node:http';

import { answerBrokenRequests } from '@glovebox/platform/http/broken-requests';
import { type HttpDrain, type HttpDrainOptions, drainable } from '@glovebox/platform/http/drain';
import { portOf } from '@glovebox/platform/http/port-of';
import type { Express } from 'express';

export interface HttpServer extends HttpDrain {
  readonly port: number;
}

export interface HttpServerOptions extends HttpDrainOptions {
  readonly host: string;
  readonly port: number;
  /** Where errors are explained. */
  readonly docsUrl: string;
}

export async function startHttpServer(app: Express, options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5000,
  });
  server.on('request', app);
  answerBrokenRequests(server, options.docsUrl);
  const drain = drainable(server, options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    ...drain,
    port: portOf(server),
  };
}
