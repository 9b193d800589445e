import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Registry } from 'prom-client';

/** Names what keeps a process from serving; undefined means that nothing does. It never holds a secret. */
export type ReadinessCheck = () => string | undefined | Promise<string | undefined>;

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: Registry;
  /** Named reasons, e.g. `{postgres: () => pool.isUp() ? undefined : 'no connection'}`. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>;
}

/** The port for operators, never public: `/livez`, `/readyz` (503 with the reasons) and `/metrics` (Prometheus). */
export interface InternalServer extends AsyncDisposable {
  readonly port: number;
}

export async function startInternalServer(options: InternalServerOptions): Promise<InternalServer> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  options: InternalServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (request.url) {
    case '/livez':
      return sendJson(response, 200, { status: 'ok' });
    case '/readyz': {
      const reasons = await unreadyReasons(options.readiness);
      const ready = Object.keys(reasons).length === 0;
      return sendJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', reasons });
    }
    case '/metrics':
      response.writeHead(200, { 'content-type': options.metrics.contentType });
      response.end(await options.metrics.metrics());
      return;
    default:
      return sendJson(response, 404, { status: 'not found' });
  }
}

async function unreadyReasons(
  checks: Readonly<Record<string, ReadinessCheck>>,
): Promise<Record<string, string>> {
  const reasons: Record<string, string> = {};
  for (const [name, check] of Object.entries(checks)) {
    const reason = await reasonOf(check);
    if (reason !== undefined) reasons[name] = reason;
  }
  return reasons;
}

async function reasonOf(check: ReadinessCheck): Promise<string | undefined> {
  try {
    return await check();
  } catch {
    return 'the check itself failed';
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
