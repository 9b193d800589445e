import type { IncomingMessage, ServerResponse } from 'node:http';

import { type AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { Warnings } from '@glovebox/platform/http/warnings';
import type { Overload } from '@glovebox/platform/process/overload';
import { failSpan } from '@glovebox/platform/telemetry/tracing';

import { discardRest } from './discard-rest.ts';
import { type Edge, type Exchange, openExchange, parseRequestTarget } from './exchange.ts';
import { readDryRun } from './headers/read-dry-run.ts';
import { noServiceHeaders, readServiceHeaders } from './headers/service-headers.ts';
import type { RequestObserver } from './request-observer.ts';
import { respondError } from './respond.ts';
import type { Router } from './router.ts';
import { warnOfUnknownParameters } from './unknown-names.ts';

/**
 * Serves one request: finds its route, runs it, and answers with the error that it throws. Never rejects: when the
 * answer itself fails, its connection is cut. While there is too much to do, new requests are refused.
 */
export function createRequestListener(
  findRoute: Router,
  observer: RequestObserver,
  edge: Edge,
  overload: Pick<Overload, 'requireRoom'>,
) {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = parseRequestTarget(request.url ?? '/');
    const route = findRoute(request.method ?? '', target.path);
    const read = tryReadHeaders(request, edge.aliases);
    const exchange = openExchange(request, response, target, read, route, edge);
    observer.began(exchange, route);
    try {
      overload.requireRoom();
      if (read.refusal !== undefined) throw read.refusal;
      exchange.isDryRun = readDryRun(exchange.headers.dryRun, route.hasDryRun);
      warnOfUnknownParameters(exchange);
      await route.handle(exchange);
    } catch (thrown) {
      const error = toAppError(thrown);
      exchange.logFields.errorCode = error.code;
      exchange.logFields.cause = error.cause;
      failSpan(exchange.span, error);
      respondError(exchange, error, route.wrapsErrors);
    } finally {
      if (!request.complete) discardRest(request);
      observer.ended(exchange, route);
      exchange.onEnded?.();
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

type ReadHeaders = Pick<Exchange, 'headers' | 'warnings'> & { readonly refusal: AppError | undefined };

function tryReadHeaders({ rawHeaders }: IncomingMessage, aliases: boolean): ReadHeaders {
  let headers = noServiceHeaders();
  try {
    headers = readServiceHeaders(rawHeaders, aliases);
    return { headers, warnings: new Warnings(headers.strict), refusal: undefined };
  } catch (thrown) {
    return { headers, warnings: new Warnings(undefined), refusal: toAppError(thrown) };
  }
}
