import { FrequentTimings } from '@glovebox/platform/telemetry/frequent-timings';
import { type Logger, createLineWriter } from '@glovebox/platform/telemetry/logger';
import {
  Counter,
  Gauge,
  Histogram,
  type MetricsRegistry,
  durationBuckets,
} from '@glovebox/platform/telemetry/metrics';
import type { Traffic } from '@glovebox/vault-client/traffic';

import type { Exchange, LogFields } from './exchange.ts';
import type { Route } from './router.ts';

/** Sees every request when it begins and when its answer is complete or given up. */
export interface RequestObserver {
  began(exchange: Exchange, route: Route): void;
  ended(exchange: Exchange, route: Route): void;
  /** A request could not be answered at all, or not be logged. Never throws. */
  failed(cause: unknown): void;
}

/** One log line, one span and the metrics for each request; ids and sizes only, nothing of what it carries. */
export function createRequestObserver(
  logger: Logger,
  metrics: MetricsRegistry,
  traffic: Pick<Traffic, 'noteRequest'>,
): RequestObserver {
  const inFlight = new Gauge({
    name: 'glovebox_http_requests_in_flight',
    help: 'Open requests',
    registers: [metrics],
  });
  const errors = new Counter({
    name: 'glovebox_http_errors_total',
    help: 'Requests that the service itself answered with an error, by its code',
    labelNames: ['code'],
    registers: [metrics],
  });
  const count = createRequestSeries(metrics);
  const writeLine = createLineWriter(logger, 'request');
  return {
    began: () => inFlight.inc(),
    ended: (exchange, route) => {
      const { request, response, logFields, span } = exchange;
      const seconds = (performance.now() - exchange.startedAt) / 1000;
      const status = response.statusCode;
      const method = knownMethod(request.method);
      inFlight.dec();
      if (logFields.errorCode !== undefined) errors.inc({ code: logFields.errorCode });
      count(route.name, method, status, seconds);
      const { tenantId, errorCode } = logFields;
      if (tenantId !== undefined) traffic.noteRequest(tenantId, status, errorCode, seconds * 1000);
      span.setAttribute('http.response.status_code', status);
      span.end();
      const fields =
        `"method":"${method}","route":"${route.name}","status":${status},` +
        `"durationMs":${millisecondsOf(seconds)},` +
        `"correlationId":${quoted(exchange.correlationId)}${idsOf(logFields)}`;
      if (logFields.cause === undefined && logFields.errorCode !== 'internal') writeLine(fields);
      else logFailure(logger, logFields, JSON.parse(`{${fields}}`) as object);
    },
    failed: (cause) => {
      errors.inc({ code: 'internal' });
      logger.error({ err: cause }, 'a request could not be answered');
    },
  };
}

/** Counts and times requests by route, method and status. */
type RequestSeries = (route: string, method: string, status: number, seconds: number) => void;

type Series = FrequentTimings<'route' | 'method' | 'status', 'route'>;

function createRequestSeries(metrics: MetricsRegistry): RequestSeries {
  const known: Series[] = [];
  const collect = () => {
    for (const series of known) series.handOn();
  };
  const requests = new Counter({
    name: 'glovebox_http_requests_total',
    help: 'Requests by route and status',
    labelNames: ['route', 'method', 'status'],
    registers: [metrics],
    collect,
  });
  const durations = new Histogram({
    name: 'glovebox_http_request_duration_seconds',
    help: 'From the first byte of a request to the end of its answer',
    labelNames: ['route'],
    buckets: durationBuckets,
    registers: [metrics],
    collect,
  });
  const byRoute = new Map<string, Map<string, Map<number, Series>>>();
  return (route, method, status, seconds) => {
    const byStatus = entryOf(entryOf(byRoute, route), method);
    let series = byStatus.get(status);
    if (series === undefined) {
      series = new FrequentTimings(requests, { route, method, status }, durations, { route });
      byStatus.set(status, series);
      known.push(series);
    }
    series.observe(seconds);
  };
}

function entryOf<Key, Inner, Value>(map: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  let entry = map.get(key);
  if (entry === undefined) map.set(key, (entry = new Map()));
  return entry;
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
function idsOf(logFields: LogFields): string {
  const { tenantId, applicationId, proxyId, reactorId, errorCode, destinationStatus } = logFields;
  let ids = '';
  if (proxyId !== undefined) ids += `,"proxyId":"${proxyId}"`;
  if (reactorId !== undefined) ids += `,"reactorId":"${reactorId}"`;
  if (tenantId !== undefined) ids += `,"tenantId":"${tenantId}"`;
  if (applicationId !== undefined) ids += `,"applicationId":"${applicationId}"`;
  if (destinationStatus !== undefined) ids += `,"destinationStatus":${destinationStatus}`;
  if (errorCode !== undefined) ids += `,"errorCode":"${errorCode}"`;
  return ids;
}

function logFailure(logger: Logger, { errorCode, cause }: LogFields, line: object): void {
  if (errorCode === 'internal') logger.error({ ...line, err: cause }, 'request');
  else logger.warn({ ...line, err: cause }, 'request');
}

/** Methods are the client's text: unknown ones share a label. */
function knownMethod(method: string | undefined): string {
  return method !== undefined && methods.has(method) ? method : 'OTHER';
}

const methods: ReadonlySet<string> = new Set(['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
