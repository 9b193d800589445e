import { Agent, type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';

import { AppError } from '@glovebox/platform/errors/app-error';
import { codeOf } from '@glovebox/platform/errors/code-of';
import { toErrorObject } from '@glovebox/platform/errors/http';
import { answerBrokenRequests } from '@glovebox/platform/http/broken-requests';
import { correlationIdOf } from '@glovebox/platform/http/correlation-id';

import { type ServiceAddress, forward } from './edge-forward.ts';
import { type Readiness, createHealthCheck } from './edge-health.ts';
import { type Route, type Upstream, pathOf, routeOf } from './route-table.ts';

export interface EdgeOptions {
  /** Addresses to listen on. Missing ones are skipped, but one must exist. */
  readonly hosts: readonly string[];
  /** 0 for a free one. */
  readonly port: number;
  readonly upstreams: Readonly<Record<Upstream, ServiceAddress>>;
  /** The readiness URL of each service. */
  readonly readyUrls: Readonly<Record<string, string>>;
  /** The documentation of errors. */
  readonly docsUrl: string;
}

export interface Edge extends AsyncDisposable {
  readonly port: number;
}

/** Starts the public address: it routes by path and changes nothing else in either direction. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256, scheduling: 'lifo' });
  const { docsUrl } = options;
  const health = createHealthCheck(options.readyUrls);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const target = request.url ?? '/';
    if (pathOf(target) === '/healthz') {
      void health().then((readiness) => answerHealth(response, readiness));
      return;
    }
    const route = routeOf(target);
    forward(request, response, {
      address: options.upstreams[route.upstream],
      agent,
      onUnreachable: () => answerUnreachable(request, response, route, docsUrl),
    });
  };
  const servers: Server[] = [];
  const dispose = async () => {
    await Promise.all(servers.map(close));
    agent.destroy();
  };
  try {
    const port = await listenOnAll(options, () => {
      const server = createHttpServer(handle, docsUrl);
      servers.push(server);
      return server;
    });
    return { port, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

const absentAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** The same port on all addresses. Missing addresses are skipped, if one exists. */
async function listenOnAll(options: EdgeOptions, createOne: () => Server): Promise<number> {
  let port: number | undefined;
  let refusal: unknown = new Error('no address to listen on');
  for (const host of options.hosts) {
    try {
      port = await listen(createOne(), host, port ?? options.port);
    } catch (error) {
      refusal = error;
      if (!absentAddress.has(codeOf(error) ?? '')) throw error;
    }
  }
  if (port === undefined) throw refusal;
  return port;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function createHttpServer(handle: Handler, docsUrl: string): Server {
  const server = createServer({ keepAliveTimeout: 65_000 }, handle);
  // The service decides about expectations: its 100 Continue is forwarded.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  answerBrokenRequests(server, docsUrl);
  return server;
}

function answerUnreachable(
  { headers }: IncomingMessage,
  response: ServerResponse,
  route: Route,
  docsUrl: string,
): void {
  const sent = headers['svc-trace-id'] ?? headers['bt-trace-id'];
  const correlationId = correlationIdOf(typeof sent === 'string' ? sent : undefined);
  const error = new AppError('bad_gateway', `${route.upstream} is not reachable at the moment.`);
  const problem = toErrorObject(error, { correlationId, docsUrl });
  response.setHeader('SVC-TRACE-ID', correlationId);
  const body = route.errorProperty === undefined ? problem : { [route.errorProperty]: problem };
  sendJson(response, problem.status, body);
}

function answerHealth(response: ServerResponse, readiness: Readiness): void {
  sendJson(response, readiness.ready ? 200 : 503, readiness);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 2_000).unref();
  });
}
