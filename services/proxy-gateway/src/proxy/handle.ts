import { acceptedHeaders } from '@glovebox/egress/headers';
import { type BodyGrammar, bodyGrammar } from '@glovebox/expressions/body-grammar';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { Dispatcher } from 'undici';

import { refuseServiceWorker } from '../http/browser-pages.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Effects } from '../idempotency/invocation-progress.ts';
import { type OnceRoute, invokeOnce } from '../idempotency/invoke-idempotently.ts';
import type { RunnerClient } from '../runner/runner-client.ts';
import { type DetokenizeOptions, detokenizeBody } from './detokenize/detokenize-body.ts';
import { evaluateHeaders, holdsBraces } from './detokenize/header-expressions.ts';
import { withoutValues } from './detokenize/without-values.ts';
import { newInvocation } from './events/invoked-proxy.ts';
import { connectionHeader } from './forward/connection-header.ts';
import { destinationOf } from './forward/destination-of.ts';
import { collect, forward } from './forward/forward.ts';
import { untransformed } from './forward/outbound-message.ts';
import { sentHeaders } from './forward/sent-headers.ts';
import { checkTransformable } from './receive/check-transformable.ts';
import { receiveBody } from './receive/receive-body.ts';
import { parseProxyTarget } from './resolve/proxy-target.ts';
import { type SelectRoute, selectProxy } from './resolve/resolve.ts';
import { stepsOf } from './resolve/transform-steps.ts';
import { runRequestSteps } from './transform/request-steps.ts';
import { requireEncrypted } from './transform/require-encrypted.ts';
import type { Invocation } from './transform/run-transform.ts';
import { transformResponse } from './transform/transform-response.ts';
import type { Transformation } from './transform/transformation.ts';

export interface ProxyRoute extends SelectRoute, OnceRoute, DetokenizeOptions {
  readonly runner: RunnerClient;
  readonly dispatcher: Dispatcher;
  /** Bodies up to this size are searched for expressions; a larger one that holds any is refused. */
  readonly maxSearchedBytes: number;
  /** Bodies up to this size are taken by transforms; a larger one is refused. */
  readonly maxTransformedBytes: number;
}

/** Invokes a proxy: the life of one proxied request (contract/proxies.md#invocation), top to bottom. */
export async function proxy(exchange: Exchange, route: ProxyRoute): Promise<void> {
  refuseServiceWorker(exchange);
  const target = parseProxyTarget(exchange.target, exchange.aliases);
  const selected = await selectProxy(exchange, target.proxyKey, route);
  const { id, destinationUrl } = selected.proxy;
  const filled = new KnownValues();
  await invokeOnce(exchange, selected.caller, id || destinationUrl, route, (effects) =>
    invoke({ exchange, target, filled, ...selected }, route, effects).catch((error: unknown) => {
      throw withoutValues(error, filled);
    }),
  );
}

const empty = Buffer.alloc(0);
const notSearched: BodyGrammar = { kind: 'none' };

async function invoke(invocation: Invocation, route: ProxyRoute, effects: Effects): Promise<void> {
  const { exchange, target, proxy: selected } = invocation;
  const { request, headers } = exchange;
  const invoked = newInvocation(selected);
  exchange.notes.invoked = invoked;
  const connection = connectionHeader(headers);
  const destination = destinationOf(selected, target);
  const taken = acceptedHeaders(request.rawHeaders);
  const transforms = selected.requestTransformCode !== '';
  const unread = selected.disableDetokenization && !transforms;
  const grammar = unread ? notSearched : bodyGrammar(headers.contentType);
  const maxBytes = transforms ? route.maxTransformedBytes : route.maxSearchedBytes;
  const body = await receiveBody(exchange, grammar, maxBytes);
  if (transforms) checkTransformable(body, grammar, maxBytes);
  const filled =
    body.kind === 'whole' ? await detokenizeBody(invocation, taken, body.text, grammar, route) : undefined;
  const read = body.kind === 'empty' ? empty : filled;
  const accepted =
    holdsBraces(taken) && !selected.disableDetokenization
      ? await evaluateHeaders(
          invocation,
          { headers: taken, body: read },
          route.vault,
          route.maxTransformedBytes,
        )
      : taken;
  const transformation = transformationOf(invocation, route, { headers: accepted, body: read }, effects);
  invoked.transforming = transformation && 'request';
  if (transformation !== undefined) requireEncrypted(invocation);
  const transformed =
    transformation && (await runRequestSteps(transformation, { headers: accepted, grammar, body: filled }));
  const message = transformed ?? untransformed(accepted, headers.contentLength, body, filled);
  const sent = sentHeaders(message.headers, message, exchange);
  const outbound = {
    ...destination,
    headers: [...sent, ...connection],
    body: message.body,
    headersTimeout: selected.timeoutSeconds * 1000 || undefined,
  };
  invoked.transforming = undefined;
  invoked.destination = destination.origin;
  effects.reaches('destination');
  if (transformation === undefined || stepsOf(selected, 'response').length === 0)
    return forward(exchange, outbound, route.dispatcher);
  const response = await collect(exchange, outbound, route.dispatcher, route.maxTransformedBytes);
  if (response === undefined) return;
  invoked.transforming = 'response';
  return transformResponse(transformation, response);
}

/** Undefined for a proxy that transforms nothing. */
function transformationOf(
  invocation: Invocation,
  { vault, runner, maxTransformedBytes: maxBytes }: ProxyRoute,
  received: Transformation['received'],
  effects: Effects,
): Transformation | undefined {
  const { proxy: selected } = invocation;
  if (stepsOf(selected, 'request').length + stepsOf(selected, 'response').length === 0) return undefined;
  const made = Object.create(null) as Transformation['made'];
  return { invocation, received, effects, vault, runner, maxBytes, made };
}
