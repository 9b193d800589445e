import { outboundHeaders } from '@glovebox/egress/headers';
import type { BodyGrammar } from '@glovebox/expressions/body-grammar';

import { framingHeaders, withoutHeaders } from '../../http/headers/header-list.ts';
import { headerObject } from '../../http/headers/header-object.ts';
import type { RunnerClient } from '../../runner/runner-client.ts';
import type { OutboundMessage } from '../forward/outbound-message.ts';
import { tooLarge } from '../receive/check-transformable.ts';
import { argsText } from './args-text.ts';
import { encodeBody } from './encode-body.ts';
import { type Invocation, runTransform } from './run-transform.ts';

/** A request as its transform gets it. */
export interface ReceivedRequest {
  /** Those that the proxy has taken up. */
  readonly headers: readonly string[];
  readonly grammar: BodyGrammar;
  /** Detokenized, and without the content-encoding that it came in; undefined for a request without a body. */
  readonly body: Buffer | undefined;
}

/**
 * Runs a proxy's request transform (contract/transforms.md#code): what it returns replaces the headers and the body.
 * It may name any header; those that are the service's own are made anew.
 */
export async function transformRequest(
  invocation: Invocation,
  { headers, grammar, body }: ReceivedRequest,
  runner: RunnerClient,
  maxBytes: number,
): Promise<OutboundMessage> {
  if (body !== undefined && body.length > maxBytes) throw tooLarge(maxBytes);
  const { exchange, target } = invocation;
  const args = {
    headers: headerObject(withoutHeaders(headers, framingHeaders)),
    method: exchange.request.method,
    path: target.subPath,
    query: target.query === '' ? '' : `?${target.query}`,
  };
  const result = await runTransform(
    invocation,
    'request',
    argsText(args, body, grammar),
    body !== undefined,
    runner,
  );
  const received = body === undefined ? undefined : exchange.headers.contentType;
  const encoded = encodeBody(result, received, 'request');
  const hasBody = encoded.body.length > 0;
  return {
    headers: outboundHeaders(encoded.headers),
    contentLength: hasBody ? String(encoded.body.length) : undefined,
    decoded: true,
    body: hasBody ? encoded.body : null,
  };
}
