import { type Logger, createLineWriter } from '@glovebox/platform/telemetry/logger';
import { Counter, Gauge, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { Route } from '../routes.ts';
import type { Exchange, ExchangeNotes } from './exchange.ts';
import { createRequestSeries } from './request-series.ts';

/** Told of every request when it begins and when its answer is complete or given up. */
export interface RequestObserver {
  began(exchange: Exchange, route: Route): void;
  ended(exchange: Exchange, route: Route): void;
  /** What kept a request from being answered at all, or noted. Never throws. */
  failed(cause: unknown): void;
}

/** One log line, one span and the metrics for each request; ids and sizes only, nothing of what it carries. */
export function createRequestObserver(logger: Logger, metrics: MetricsRegistry): RequestObserver {
  const inFlight = new Gauge({
    name: 'glovebox_http_requests_in_flight',
    help: 'Requests that have begun and not ended',
    registers: [metrics],
  });
  const errors = new Counter({
    name: 'glovebox_http_errors_total',
    help: 'Requests that were answered with an error of our own, by its code',
    labelNames: ['code'],
    registers: [metrics],
  });
  const count = createRequestSeries(metrics);
  const writeLine = createLineWriter(logger, 'request');
  return {
    began: () => inFlight.inc(),
    ended: (exchange, route) => {
      const { request, response, notes, span } = exchange;
      const seconds = (performance.now() - exchange.startedAt) / 1000;
      const status = response.statusCode;
      const method = knownMethod(request.method);
      inFlight.dec();
      if (notes.errorCode !== undefined) errors.inc({ code: notes.errorCode });
      count(route.name, method, status, seconds);
      span.setAttribute('http.response.status_code', status);
      span.end();
      const fields =
        `"method":"${method}","route":"${route.name}","status":${status},` +
        `"durationMs":${millisecondsOf(seconds)},` +
        `"correlationId":${quoted(exchange.correlationId)}${idsOf(notes)}`;
      if (notes.cause === undefined && notes.errorCode !== 'internal') writeLine(fields);
      else logFailure(logger, notes, JSON.parse(`{${fields}}`) as object);
    },
    failed: (cause) => {
      errors.inc({ code: 'internal' });
      logger.error({ err: cause }, 'a request could not be answered');
    },
  };
}

/** With three decimals, from whole numbers: writing a fraction takes as long as all else of a line. */
function millisecondsOf(seconds: number): string {
  const microseconds = Math.round(seconds * 1e6);
  const fraction = microseconds % 1000;
  return `${(microseconds - fraction) / 1000}.${String(fraction).padStart(3, '0')}`;
}

/** As JSON. A correlation id is visible ASCII (platform's correlation-id.ts), of which two characters are escaped. */
function quoted(text: string): string {
  return text.includes('"') || text.includes('\\') ? JSON.stringify(text) : `"${text}"`;
}

/** What is known of the request, as JSON; the ids are UUIDs. */
function idsOf(notes: ExchangeNotes): string {
  const { tenantId, applicationId, proxyId, reactorId, errorCode, destinationStatus } = notes;
  let ids = '';
  if (proxyId !== undefined) ids += `,"proxyId":"${proxyId}"`;
  if (reactorId !== undefined) ids += `,"reactorId":"${reactorId}"`;
  if (tenantId !== undefined) ids += `,"tenantId":"${tenantId}"`;
  if (applicationId !== undefined) ids += `,"applicationId":"${applicationId}"`;
  if (destinationStatus !== undefined) ids += `,"destinationStatus":${destinationStatus}`;
  if (errorCode !== undefined) ids += `,"errorCode":"${errorCode}"`;
  return ids;
}

function logFailure(logger: Logger, { errorCode, cause }: ExchangeNotes, line: object): void {
  if (errorCode === 'internal') logger.error({ ...line, err: cause }, 'request');
  else logger.warn({ ...line, err: cause }, 'request');
}

/** Methods are the client's text: unknown ones share a label. */
function knownMethod(method: string | undefined): string {
  return method !== undefined && methods.has(method) ? method : 'OTHER';
}

const methods: ReadonlySet<string> = new Set(['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
