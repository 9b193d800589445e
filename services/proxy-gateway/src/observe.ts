import type { Logger } from '@glovebox/platform/logger';
import { Counter, Gauge, Histogram, type Registry, durationBuckets } from '@glovebox/platform/metrics';

import type { Exchange } from './http/exchange.ts';
import type { Route } from './routes/routes.ts';

/** Told of every request when it begins and when its answer is complete or given up. */
export interface RequestObserver {
  began(exchange: Exchange, route: Route): void;
  ended(exchange: Exchange, route: Route): void;
}

/** One log line, one span and the metrics for each request; ids and sizes only, nothing of what it carries. */
export function createRequestObserver(logger: Logger, metrics: Registry): RequestObserver {
  const inFlight = new Gauge({
    name: 'glovebox_http_requests_in_flight',
    help: 'Requests that have begun and not ended',
    registers: [metrics],
  });
  const requests = new Counter({
    name: 'glovebox_http_requests_total',
    help: 'Requests by route and status',
    labelNames: ['route', 'method', 'status'],
    registers: [metrics],
  });
  const durations = new Histogram({
    name: 'glovebox_http_request_duration_seconds',
    help: 'From the first byte of a request to the end of its answer',
    labelNames: ['route'],
    buckets: durationBuckets,
    registers: [metrics],
  });
  return {
    began: () => inFlight.inc(),
    ended: (exchange, route) => {
      const { request, response, notes, span } = exchange;
      const seconds = (performance.now() - exchange.startedAt) / 1000;
      const status = response.statusCode;
      const method = knownMethod(request.method);
      inFlight.dec();
      requests.inc({ route: route.name, method, status });
      durations.observe({ route: route.name }, seconds);
      span.setAttribute('http.response.status_code', status);
      span.end();
      logLine(logger, exchange, {
        method,
        route: route.name,
        status,
        durationMs: Math.round(seconds * 1e6) / 1e3,
        correlationId: exchange.correlationId,
        ...idsOf(notes),
      });
    },
  };
}

function idsOf({ cause: _cause, ...ids }: Exchange['notes']): object {
  return ids;
}

function logLine(logger: Logger, { notes }: Exchange, line: object): void {
  if (notes.errorCode === 'internal') logger.error({ ...line, err: notes.cause }, 'request');
  else if (notes.cause === undefined) logger.info(line, 'request');
  else logger.warn({ ...line, err: notes.cause }, 'request');
}

/** Methods are the client's text: unknown ones share a label. */
function knownMethod(method: string | undefined): string {
  return method !== undefined && methods.has(method) ? method : 'OTHER';
}

const methods: ReadonlySet<string> = new Set(['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
