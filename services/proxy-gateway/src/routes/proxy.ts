import { acceptedHeaders } from '@glovebox/egress/headers';
import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import type { VaultClient } from '@glovebox/vault-client/vault-client';
import type { Dispatcher } from 'undici';

import { type SelectRoute, selectProxy } from '../caller/select-proxy.ts';
import { detokenizeBody } from '../detokenize/detokenize-body.ts';
import { connectionHeader } from '../forward/connection-header.ts';
import { destinationOf } from '../forward/destination-of.ts';
import { collect, forward } from '../forward/forward.ts';
import { untransformed } from '../forward/outbound-message.ts';
import { sentHeaders } from '../forward/sent-headers.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseProxyTarget } from '../request/proxy-target.ts';
import { receiveBody } from '../request/receive-body.ts';
import type { RunnerClient } from '../runner/runner-client.ts';
import { checkTransformable } from '../transforms/check-transformable.ts';
import { transformRequest } from '../transforms/transform-request.ts';
import { transformResponse } from '../transforms/transform-response.ts';

export interface ProxyRoute extends SelectRoute {
  readonly vault: VaultClient;
  readonly runner: RunnerClient;
  readonly dispatcher: Dispatcher;
  /** Bodies up to this size are searched for expressions; a larger one that holds any is refused. */
  readonly maxSearchedBytes: number;
  /** Bodies up to this size are taken by transforms; a larger one is refused. */
  readonly maxTransformedBytes: number;
}

/** Invokes a proxy: the life of one proxied request (interface.md section 4.7), top to bottom. */
export async function proxy(exchange: Exchange, route: ProxyRoute): Promise<void> {
  const { request, headers } = exchange;
  const target = parseProxyTarget(exchange.target, exchange.aliases);
  const { proxy: selected, caller } = await selectProxy(exchange, target.proxyKey, route);
  const connection = connectionHeader(headers);
  const destination = destinationOf(selected, target);
  const accepted = acceptedHeaders(request.rawHeaders);
  const grammar = bodyGrammar(headers.contentType);
  const transforms = selected.requestTransformCode !== '';
  const maxBytes = transforms ? route.maxTransformedBytes : route.maxSearchedBytes;
  const body = await receiveBody(request, headers, grammar, maxBytes);
  if (transforms) checkTransformable(body, grammar, maxBytes);
  const filled =
    body.kind === 'whole'
      ? await detokenizeBody(exchange, body.text, grammar, caller, selected, route.vault)
      : undefined;
  const message = transforms
    ? await transformRequest(
        { exchange, proxy: selected, target },
        { headers: accepted, grammar, body: filled },
        route.runner,
        maxBytes,
      )
    : untransformed(accepted, headers.contentLength, body, filled);
  const sent = sentHeaders(message.headers, message, exchange);
  const outbound = { ...destination, headers: [...sent, ...connection], body: message.body };
  if (selected.responseTransformCode === '') return forward(exchange, outbound, route.dispatcher);
  const response = await collect(exchange, outbound, route.dispatcher, route.maxTransformedBytes);
  if (response === undefined) return;
  const invocation = { exchange, proxy: selected, target };
  return transformResponse(invocation, response, route.runner, route.maxTransformedBytes);
}
