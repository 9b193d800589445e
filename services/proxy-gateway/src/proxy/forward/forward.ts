import { AppError } from '@glovebox/platform/errors/app-error';
import { SpanKind, failSpan, startSpan, traceparentOf } from '@glovebox/platform/telemetry/tracing';
import type { Dispatcher } from 'undici';

import type { Exchange } from '../../http/exchange.ts';
import { type CollectedResponse, ResponseCollector } from './collect-response.ts';
import { destinationError } from './destination-error.ts';
import { StreamedResponse } from './streamed-response.ts';

export interface OutboundRequest {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  /** Flat list of names and values, ready to be sent. */
  readonly headers: string[];
  readonly body: Buffer | AsyncIterable<Buffer> | null;
  /** Until the response begins; undefined: as long as the operator allows. */
  readonly headersTimeout: number | undefined;
}

/**
 * Sends the request and streams the destination's raw response to the client (contract/proxies.md#invocation).
 * Redirects are passed on like any other response. Resolves when the response is complete.
 * @throws AppError as long as nothing of a response has been passed on; after that the connection is cut.
 */
export function forward(
  exchange: Exchange,
  outbound: OutboundRequest,
  dispatcher: Dispatcher,
): Promise<void> {
  return send(exchange, outbound, dispatcher, (resolve: () => void, reject) => {
    return new StreamedResponse(exchange, resolve, reject);
  });
}

/**
 * The same, but takes up a response with a 2xx status instead of passing it on. Resolves to undefined when the response
 * had another status, and was passed on.
 */
export function collect(
  exchange: Exchange,
  outbound: OutboundRequest,
  dispatcher: Dispatcher,
  maxBytes: number,
): Promise<CollectedResponse | undefined> {
  return send<CollectedResponse | undefined>(exchange, outbound, dispatcher, (resolve, reject) => {
    return new ResponseCollector(exchange, maxBytes, resolve, reject);
  });
}

type HandlerOf<T> = (
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
) => Dispatcher.DispatchHandler;

async function send<T>(
  exchange: Exchange,
  outbound: OutboundRequest,
  dispatcher: Dispatcher,
  handlerOf: HandlerOf<T>,
): Promise<T> {
  exchange.stages.enter('destination');
  const { span, context } = startSpan(
    'destination',
    { kind: SpanKind.CLIENT, attributes: { 'server.address': outbound.origin } },
    exchange.trace,
  );
  const traceparent = traceparentOf(context) ?? exchange.headers.traceparent;
  if (traceparent !== undefined) outbound.headers.push('traceparent', traceparent);
  try {
    const result = await dispatch(exchange, outbound, dispatcher, handlerOf);
    span.setAttribute('http.response.status_code', exchange.notes.destinationStatus ?? 0);
    return result;
  } catch (error) {
    const translated = error instanceof AppError ? error : destinationError(error);
    failSpan(span, translated);
    throw translated;
  } finally {
    span.end();
  }
}

function dispatch<T>(
  exchange: Exchange,
  outbound: OutboundRequest,
  dispatcher: Dispatcher,
  handlerOf: HandlerOf<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      {
        origin: outbound.origin,
        path: outbound.path,
        method: exchange.request.method as Dispatcher.HttpMethod,
        headers: outbound.headers,
        body: outbound.body,
        headersTimeout: outbound.headersTimeout,
      } as Dispatcher.DispatchOptions,
      handlerOf(resolve, reject),
    );
  });
}
