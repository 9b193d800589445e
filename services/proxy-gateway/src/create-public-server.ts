import { type Server, createServer } from 'node:http';

import { answerBrokenRequests } from '@glovebox/platform/http/broken-requests';
import type { Overload } from '@glovebox/platform/process/overload';

import type { GatewayConfig } from './config.ts';
import type { Edge } from './http/exchange.ts';
import { createRequestListener } from './http/request-listener.ts';
import type { RequestObserver } from './http/request-observer.ts';
import { createRouter } from './http/router.ts';
import { type Dependencies, addresses } from './routes.ts';

export interface PublicParts {
  readonly dependencies: Dependencies;
  readonly observer: RequestObserver;
  readonly edge: Edge;
  readonly overload: Pick<Overload, 'requireRoom'>;
}

/** The server of the public port, which does not listen yet. */
export function createPublicServer(
  config: GatewayConfig,
  { dependencies, observer, edge, overload }: PublicParts,
): Server {
  const router = createRouter(addresses, dependencies);
  const listener = createRequestListener(router, observer, edge, overload);
  const server = createServer(serverOptions(config), (request, response) => void listener(request, response));
  answerBrokenRequests(server, config.docsUrl);
  return server;
}

const serverOptions = ({ limits }: GatewayConfig) => ({
  maxHeaderSize: limits.maxHeaderBytes,
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  noDelay: true,
});
