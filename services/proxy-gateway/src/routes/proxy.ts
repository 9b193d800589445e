import { acceptedHeaders } from '@glovebox/egress/headers';
import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import type { Registry } from '@glovebox/published/registry';
import type { Dispatcher } from 'undici';

import { identifyProxyCaller } from '../caller/identify-proxy-caller.ts';
import { resolveProxy } from '../caller/resolve-proxy.ts';
import { detokenizeBody } from '../detokenize/detokenize-body.ts';
import { destinationOf } from '../forward/destination-of.ts';
import { forward } from '../forward/forward.ts';
import { refuseTransforms } from '../forward/refuse-transforms.ts';
import { sentHeaders } from '../forward/sent-headers.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseProxyTarget } from '../request/proxy-target.ts';
import { receiveBody } from '../request/receive-body.ts';
import type { VaultClient } from '../vault/vault-client.ts';

export interface ProxyRoute {
  readonly registry: Registry;
  readonly vault: VaultClient;
  readonly dispatcher: Dispatcher;
  /** Bodies up to this size are searched for expressions; a larger one that holds any is refused. */
  readonly maxSearchedBytes: number;
}

/** Invokes a proxy: the life of one proxied request (interface.md section 4.7), top to bottom. */
export async function proxy(exchange: Exchange, route: ProxyRoute): Promise<void> {
  const { request, headers, notes } = exchange;
  const target = parseProxyTarget(exchange.target);
  const selected = await resolveProxy(headers.proxyKey, target.proxyKey, route.registry);
  notes.proxyId = selected.id;
  notes.tenantId = selected.tenantId;
  const caller = await identifyProxyCaller(headers.apiKey, selected, route.registry);
  if (caller !== undefined) notes.applicationId = caller.principal.applicationId;
  refuseTransforms(selected);
  const destination = destinationOf(selected, target);
  const accepted = acceptedHeaders(request.rawHeaders);
  const grammar = bodyGrammar(headers.contentType);
  const body = await receiveBody(request, headers, grammar, route.maxSearchedBytes);
  if (body.kind !== 'whole') {
    const stream = body.kind === 'stream' ? body.stream : null;
    const announced = { contentLength: headers.contentLength, decoded: false };
    const sent = sentHeaders(accepted, announced, exchange.correlationId);
    return forward(exchange, { ...destination, headers: sent, body: stream }, route.dispatcher);
  }
  const filled = await detokenizeBody(exchange, body.text, grammar, caller, selected, route.vault);
  const changed = filled !== body.text;
  const bytes = changed ? filled : body.sent;
  const announced = { contentLength: String(bytes.length), decoded: changed && body.decoded };
  const sent = sentHeaders(accepted, announced, exchange.correlationId);
  return forward(exchange, { ...destination, headers: sent, body: bytes }, route.dispatcher);
}
