import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

import { Gauge, type MetricsRegistry } from '../telemetry/metrics.ts';
import { countUncaught } from '../telemetry/uncaught.ts';
import { portOf } from './port-of.ts';

/** Why a process cannot serve; undefined: it can. Never holds a secret. */
export type ReadinessCheck = () => string | undefined | Promise<string | undefined>;

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  /** Gets `glovebox_ready`, in place of that of an earlier server of this process. */
  readonly metrics: MetricsRegistry;
  /** Named reasons, e.g. `{postgres: () => pool.isUp() ? undefined : 'no connection'}`. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>;
  /** What an operator should know although the process can serve. */
  readonly notes?: Readonly<Record<string, ReadinessCheck>>;
}

/**
 * The port for operators, never public: `/livez`, `/readyz` (503 with the reasons) and `/metrics` (Prometheus). After
 * an uncaught error, disposing it waits for the next scrape, if there were any before.
 */
export interface InternalServer extends AsyncDisposable {
  readonly port: number;
}

export async function startInternalServer(options: InternalServerOptions): Promise<InternalServer> {
  const looks = new LooksAtMetrics();
  const server = createServer((request, response) => {
    answer(options, looks, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  reportReadiness(options);
  return {
    port: portOf(server),
    async [Symbol.asyncDispose]() {
      await looks.last();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  options: InternalServerOptions,
  looks: LooksAtMetrics,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (request.url) {
    case '/livez':
      return sendJson(response, 200, { status: 'ok' });
    case '/readyz': {
      const reasons = await unreadyReasons(options.readiness);
      const ready = Object.keys(reasons).length === 0;
      const notes = await unreadyReasons(options.notes ?? {});
      const more = Object.keys(notes).length === 0 ? {} : { notes };
      return sendJson(response, ready ? 200 : 503, {
        status: ready ? 'ready' : 'not ready',
        reasons,
        ...more,
      });
    }
    case '/metrics': {
      const uncaught = countUncaught();
      response.writeHead(200, { 'content-type': options.metrics.contentType });
      response.end(await options.metrics.metrics(), () => looks.note(uncaught));
      return;
    }
    default:
      return sendJson(response, 404, { status: 'not found' });
  }
}

/** Longer than the scrape interval (deploy/observability/pod-monitor.yaml: 15 s). */
const longestUnseenMs = 20_000;

/** Tracks scrapes, and which count of uncaught errors they have seen. */
class LooksAtMetrics {
  #seen: number | undefined;
  #onNext: (() => void) | undefined;

  note(uncaught: number): void {
    this.#seen = uncaught;
    if (uncaught === countUncaught()) this.#onNext?.();
  }

  /** Resolves when a scrape has seen all uncaught errors, or nothing scrapes. */
  async last(): Promise<void> {
    if (this.#seen === undefined || this.#seen === countUncaught()) return;
    const seen = Promise.withResolvers<void>();
    this.#onNext = seen.resolve;
    const timer = setTimeout(seen.resolve, longestUnseenMs);
    await seen.promise;
    clearTimeout(timer);
  }
}

/**
 * Requests that a load balancer refuses reach no service that could count them, so each service reports that it is not
 * ready.
 */
function reportReadiness({ metrics, readiness }: InternalServerOptions): void {
  const name = 'glovebox_ready';
  metrics.removeSingleMetric(name);
  const gauge: Gauge<'check'> = new Gauge({
    name,
    help: '1 if /readyz finds what the process needs, 0 if not, by its name there.',
    labelNames: ['check'],
    registers: [metrics],
    async collect() {
      const reasons = await unreadyReasons(readiness);
      for (const check of Object.keys(readiness)) gauge.set({ check }, check in reasons ? 0 : 1);
    },
  });
}

/** Below the timeout of any probe, which would not show the reason. */
const checkMs = 2000;

async function unreadyReasons(
  checks: Readonly<Record<string, ReadinessCheck>>,
): Promise<Record<string, string>> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await reasonOf(check)] as const),
  );
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function reasonOf(check: ReadinessCheck): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('no answer in time'), checkMs);
  try {
    return await Promise.race([check(), late.promise]);
  } catch {
    return 'the check itself failed';
  } finally {
    clearTimeout(timer);
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
