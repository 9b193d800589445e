import type { Principal } from '@glovebox/access/principal';
import { toAppError } from '@glovebox/platform/errors/app-error';
import { statusOf } from '@glovebox/platform/errors/http';
import { clientAddress } from '@glovebox/platform/http/client-address';
import { correlationIdOf } from '@glovebox/platform/http/correlation-id';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import {
  Counter,
  Histogram,
  type MetricsRegistry,
  durationBuckets,
} from '@glovebox/platform/telemetry/metrics';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  contextOf,
  failSpan,
  startSpan,
  traceparentOf,
} from '@glovebox/platform/telemetry/tracing';
import type { Request, RequestHandler } from 'express';

import { dropAliases, ownHeader } from './headers.ts';

/** Collects what the log line, the span and the metrics of a request need. */
export interface Trail {
  readonly correlationId: string;
  /** Where the request came from. */
  readonly clientAddress: string;
  readonly span: Span;
  readonly context: Context;
  /** Template of the path, never the path itself. */
  route: string;
  principal?: Principal;
  /** The error that ended the request. */
  error?: unknown;
}

const trails = new WeakMap<Request, Trail>();

export function trailOf(request: Request): Trail {
  const trail = trails.get(request);
  if (trail === undefined) throw new Error('observe must be the first middleware');
  return trail;
}

export interface ObserveOptions {
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Headers whose names start with `BT-` count as well as the service's own. */
  readonly aliases: boolean;
  /** How many proxies of our own a request passes on its way. */
  readonly trustedHops: number;
}

/** The first middleware: correlation id in and out, one span, one log line and one sample of the metrics. */
export function observe({ logger, metrics, aliases, trustedHops }: ObserveOptions): RequestHandler {
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'glovebox_http_requests_total',
    help: 'Requests that were answered.',
    labelNames,
    registers: [metrics],
  });
  const errors = new Counter({
    name: 'glovebox_http_errors_total',
    help: 'Requests that were answered with an error, by its code.',
    labelNames: ['code'],
    registers: [metrics],
  });
  const durations = new Histogram({
    name: 'glovebox_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames,
    buckets: durationBuckets,
    registers: [metrics],
  });
  return (request, response, next) => {
    if (!aliases) dropAliases(request.headers);
    const startedAt = performance.now();
    const parent = contextOf(request.get('traceparent'), ROOT_CONTEXT);
    const { span, context } = startSpan(request.method, { kind: SpanKind.SERVER }, parent);
    const trail: Trail = {
      correlationId: correlationIdOf(ownHeader(request.headers, 'trace-id')),
      clientAddress: clientAddress(request, trustedHops),
      span,
      context,
      route: 'unmatched',
    };
    trails.set(request, trail);
    response.setHeader('SVC-TRACE-ID', trail.correlationId);
    if (aliases) response.setHeader('BT-TRACE-ID', trail.correlationId);
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : statusOf('cancelled');
      const ms = performance.now() - startedAt;
      const labels = { method: methodLabel(request.method), route: trail.route, status: String(status) };
      requests.inc(labels);
      if (trail.error !== undefined) errors.inc({ code: toAppError(trail.error).code });
      durations.observe(labels, ms / 1000);
      endSpan(trail, labels, status);
      logRequest(logger, trail, request.method, status, ms);
    });
    next();
  };
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A label's values must not be the caller's to multiply. */
function methodLabel(method: string): string {
  return knownMethods.has(method) ? method : 'other';
}

function endSpan(trail: Trail, labels: { method: string; route: string }, status: number): void {
  trail.span.updateName(`${labels.method} ${trail.route}`);
  trail.span.setAttributes({
    'http.request.method': labels.method,
    'http.route': trail.route,
    'http.response.status_code': status,
  });
  if (status >= 500) failSpan(trail.span, trail.error);
  trail.span.end();
}

function logRequest(logger: Logger, trail: Trail, method: string, status: number, ms: number): void {
  const line = {
    method,
    route: trail.route,
    status,
    ms: Math.round(ms * 100) / 100,
    correlation_id: trail.correlationId,
    trace_id: traceparentOf(trail.context)?.slice(3, 35),
    tenant_id: trail.principal?.tenantId,
    ...(trail.principal?.isPerson === true
      ? { user_id: trail.principal.applicationId }
      : { application_id: trail.principal?.applicationId }),
  };
  if (status < 500) logger.info(line, 'request');
  else logger.error({ ...line, err: toAppError(trail.error) }, 'request');
}
