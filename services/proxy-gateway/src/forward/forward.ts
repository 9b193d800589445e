import type { Readable } from 'node:stream';

import { AppError } from '@glovebox/platform/errors';
import { SpanKind, failSpan, startSpan, traceparentOf } from '@glovebox/platform/tracing';
import type { Dispatcher } from 'undici';

import type { Exchange } from '../http/exchange.ts';
import { destinationError } from './destination-error.ts';
import { StreamedResponse } from './streamed-response.ts';

export interface OutboundRequest {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  /** Flat list of names and values, ready to be sent. */
  readonly headers: string[];
  readonly body: Buffer | Readable | AsyncIterable<Buffer> | null;
}

/**
 * Sends the request and streams the destination's raw response to the client (interface.md section 4.7). Redirects
 * are passed on like any other response. Resolves when the response is complete.
 * @throws AppError as long as nothing of a response has been passed on; after that the connection is cut.
 */
export async function forward(
  exchange: Exchange,
  outbound: OutboundRequest,
  dispatcher: Dispatcher,
): Promise<void> {
  const { span, context } = startSpan(
    'destination',
    { kind: SpanKind.CLIENT, attributes: { 'server.address': outbound.origin } },
    exchange.trace,
  );
  const traceparent = traceparentOf(context) ?? exchange.headers.traceparent;
  if (traceparent !== undefined) outbound.headers.push('traceparent', traceparent);
  try {
    await dispatch(exchange, outbound, dispatcher);
    span.setAttribute('http.response.status_code', exchange.notes.destinationStatus ?? 0);
  } catch (error) {
    const translated = error instanceof AppError ? error : destinationError(error);
    failSpan(span, translated);
    throw translated;
  } finally {
    span.end();
  }
}

function dispatch(exchange: Exchange, outbound: OutboundRequest, dispatcher: Dispatcher): Promise<void> {
  return new Promise((resolve, reject) => {
    const handler = new StreamedResponse(exchange, resolve, reject);
    dispatcher.dispatch(
      {
        origin: outbound.origin,
        path: outbound.path,
        method: exchange.request.method as Dispatcher.HttpMethod,
        headers: outbound.headers,
        body: outbound.body,
      } as Dispatcher.DispatchOptions,
      handler,
    );
  });
}
