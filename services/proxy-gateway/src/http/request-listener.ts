import { type IncomingMessage, type ServerResponse } from 'node:http';

import { type AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { correlationIdOf } from '@glovebox/platform/http/correlation-id';
import { Warnings } from '@glovebox/platform/http/warnings';
import { SpanKind, contextOf, failSpan, startSpan } from '@glovebox/platform/telemetry/tracing';

import { knownBy } from '../known-by.ts';
import { type Route, type Routes, findRoute } from '../routes.ts';
import { discardRest } from './discard-rest.ts';
import type { Exchange } from './exchange.ts';
import { type ServiceHeaders, noServiceHeaders, readServiceHeaders } from './headers/service-headers.ts';
import type { RequestObserver } from './request-observer.ts';
import { parseRequestTarget } from './request-target.ts';
import { respondError } from './respond.ts';
import { Stages } from './stages.ts';
import { noteUnknownParameters } from './unknown-names.ts';

/** What holds for all requests. */
export type Edge = Pick<
  Exchange,
  'aliases' | 'bounds' | 'docsUrl' | 'held' | 'limits' | 'origins' | 'tellsTiming'
>;

/**
 * Serves one request: finds its route, runs it, and answers for whatever it throws. Never rejects: when the answer itself
 * fails, its connection is cut.
 */
export function createRequestListener(routes: Routes, observer: RequestObserver, edge: Edge) {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = parseRequestTarget(request.url ?? '/');
    const route = findRoute(request.method ?? '', target.path);
    const { exchange, refusal } = begin(request, response, target, route, edge);
    observer.began(exchange, route);
    try {
      if (refusal !== undefined) throw refusal;
      noteUnknownParameters(exchange);
      await route.handle(exchange, routes);
    } catch (thrown) {
      const error = toAppError(thrown);
      exchange.notes.errorCode = error.code;
      exchange.notes.cause = error.cause;
      failSpan(exchange.span, error);
      respondError(exchange, error, route.wrapsErrors);
    } finally {
      if (!request.complete) discardRest(request);
      observer.ended(exchange, route);
    }
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await serve(request, response);
    } catch (thrown) {
      if (!response.writableEnded) response.destroy();
      observer.failed(thrown);
    }
  };
}

function begin(
  request: IncomingMessage,
  response: ServerResponse,
  target: Exchange['target'],
  route: Route,
  { aliases, bounds, docsUrl, held, limits, origins, tellsTiming }: Edge,
): { exchange: Exchange; refusal: AppError | undefined } {
  const { headers, warnings, refusal } = tryReadHeaders(request, aliases);
  const attributes = { 'http.request.method': request.method ?? '', 'http.route': route.name };
  const { span, context } = startSpan(
    `${request.method} ${route.name}`,
    { kind: SpanKind.SERVER, attributes },
    contextOf(headers.traceparent),
  );
  const exchange: Exchange = {
    request,
    response,
    target,
    headers,
    aliases,
    limits,
    origins,
    bounds,
    docsUrl,
    held,
    correlationId: correlationIdOf(headers.traceId),
    known: knownBy(request.method ?? '', route),
    warnings,
    startedAt: performance.now(),
    span,
    trace: context,
    notes: noNotes(),
    stages: new Stages(),
    tellsTiming,
  };
  return { exchange, refusal };
}

const noNotes = (): Exchange['notes'] => ({
  tenantId: undefined,
  applicationId: undefined,
  proxyId: undefined,
  reactorId: undefined,
  errorCode: undefined,
  cause: undefined,
  destinationStatus: undefined,
  invoked: undefined,
});

function tryReadHeaders(
  request: IncomingMessage,
  aliases: boolean,
): {
  headers: ServiceHeaders;
  warnings: Warnings;
  refusal: AppError | undefined;
} {
  let headers = noServiceHeaders();
  try {
    headers = readServiceHeaders(request.rawHeaders, aliases);
    return { headers, warnings: new Warnings(headers.strict), refusal: undefined };
  } catch (thrown) {
    return { headers, warnings: new Warnings(undefined), refusal: toAppError(thrown) };
  }
}
