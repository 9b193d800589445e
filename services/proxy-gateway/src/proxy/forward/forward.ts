import { AppError } from '@glovebox/platform/errors/app-error';
import { SpanKind, failSpan, startSpan, traceparentOf } from '@glovebox/platform/telemetry/tracing';
import type { Dispatcher } from 'undici';

import type { DestinationDispatchers } from '../../destinations/destination-dispatchers.ts';
import type { Passage } from '../../destinations/destination-gates.ts';
import { WatchedAnswer } from '../../destinations/watched-answer.ts';
import type { Exchange, OutlineNotes, RawResponse } from '../../http/exchange.ts';
import { type ProxyInvocation, stepsOf } from '../resolve/proxy-invocation.ts';
import { ResponseCollector } from './collect-response.ts';
import { destinationError } from './destination-error.ts';
import { type GuardDependencies, makeGuard } from './make-guard.ts';
import { type Destination, type OutboundMessage, sentHeaders } from './outbound-request.ts';
import { passingResponse } from './passing-response.ts';

export interface ForwardDependencies extends GuardDependencies {
  readonly dispatchers: Pick<DestinationDispatchers, 'of'>;
  /** Of a response that transforms take. */
  readonly maxTransformedBytes: number;
}

interface OutboundRequest {
  readonly origin: string;
  /** Its host and port. */
  readonly place: string;
  /** With the query. */
  readonly path: string;
  /** Flat list of names and values, ready to be sent. */
  readonly headers: string[];
  readonly body: Buffer | AsyncIterable<Buffer> | null;
  /** Until the response begins; undefined: as long as the operator allows. */
  readonly headersTimeout: number | undefined;
}

/**
 * Sends the request (contract/proxies.md#invocation). The destination's raw response streams to the client, redirects
 * like any other. Only a success that has to be transformed is collected. A request is sent at most once, also where a
 * connection that was kept turns out to be closed.
 * @throws AppError as long as nothing of a response has been passed on; after that the connection is cut.
 */
export async function forward(
  invocation: ProxyInvocation,
  { origin, place, path, connection }: Destination,
  passage: Passage,
  message: OutboundMessage,
  dependencies: ForwardDependencies,
): Promise<RawResponse | 'streamed'> {
  const { dispatchers, maxTransformedBytes } = dependencies;
  const { exchange, proxy, progress, filled, reach } = invocation;
  if (reach?.destination !== place) throw unstated();
  if (filled !== undefined) invocation.guard ??= await makeGuard(invocation, filled, dependencies);
  const { guard } = invocation;
  const headers = sentHeaders(message.headers, message, exchange);
  const outbound = {
    origin,
    place,
    path,
    headers: [...headers, ...connection],
    body: message.body,
    headersTimeout: proxy.timeoutSeconds * 1000 || undefined,
  };
  invocation.transforming = undefined;
  const entered = passage.enter();
  if (entered instanceof Promise) await entered;
  const found = dispatchers.of(proxy, exchange.correlationId);
  const dispatcher = found instanceof Promise ? await found : found;
  invocation.destination = origin;
  progress.reaches('destination');
  const collects = stepsOf(proxy, 'response').length > 0;
  const createHandler: CreateHandler = (resolve, reject) =>
    collects
      ? new ResponseCollector(exchange, guard, maxTransformedBytes, resolve, reject)
      : passingResponse(exchange, guard, resolve, reject);
  try {
    return await send(
      invocation,
      outbound,
      dispatcher,
      watched(createHandler, passage, exchange.outlineNotes),
    );
  } finally {
    passage.exit();
  }
}

/** The vault has decided on another place than this. */
function unstated(): AppError {
  return new AppError('internal', 'The request could not be completed.', {
    cause: new Error('the destination is not the one that was stated to the vault'),
  });
}

type CreateHandler = (
  resolve: (response: RawResponse | 'streamed') => void,
  reject: (error: unknown) => void,
) => Dispatcher.DispatchHandler;

function watched(createHandler: CreateHandler, passage: Passage, notes: OutlineNotes): CreateHandler {
  return (resolve, reject) => new WatchedAnswer(passage, createHandler(resolve, reject), notes);
}

async function send(
  { exchange, proxy, caller }: ProxyInvocation,
  outbound: OutboundRequest,
  dispatcher: Dispatcher,
  createHandler: CreateHandler,
): Promise<RawResponse | 'streamed'> {
  exchange.stages.enter('destination');
  const { span, context } = startSpan(
    'destination',
    { kind: SpanKind.CLIENT, attributes: { 'server.address': outbound.origin } },
    exchange.trace,
  );
  const traceparent = traceparentOf(context) ?? exchange.headers.traceparent;
  if (traceparent !== undefined) outbound.headers.push('traceparent', traceparent);
  try {
    const result = await dispatch(exchange, outbound, dispatcher, createHandler);
    span.setAttribute('http.response.status_code', exchange.logFields.destinationStatus ?? 0);
    return result;
  } catch (error) {
    // An anonymous caller need not learn where a proxy leads. That of an ephemeral one is the caller's own text.
    const place = caller === undefined || proxy.id === '' ? undefined : outbound.place;
    const translated =
      error instanceof AppError ? error : destinationError(error, proxy.destinationTls, place);
    failSpan(span, translated);
    throw translated;
  } finally {
    span.end();
  }
}

function dispatch(
  exchange: Exchange,
  outbound: OutboundRequest,
  dispatcher: Dispatcher,
  createHandler: CreateHandler,
): Promise<RawResponse | 'streamed'> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      {
        origin: outbound.origin,
        path: outbound.path,
        method: exchange.request.method as Dispatcher.HttpMethod,
        headers: outbound.headers,
        body: outbound.body,
        headersTimeout: outbound.headersTimeout,
        responseHeaders: 'raw',
      } as Dispatcher.DispatchOptions,
      createHandler(resolve, reject),
    );
  });
}
