import { acceptedHeaders } from '@glovebox/egress/headers';
import { type BodyGrammar, bodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { type InboundBody, receiveBody } from './receive-body.ts';

export interface ReceiveLimits {
  /** Bodies up to this size are searched for expressions; a larger one that holds any is refused. */
  readonly maxSearchedBytes: number;
  /** Bodies up to this size are taken by transforms; a larger one is refused. */
  readonly maxTransformedBytes: number;
}

export interface ReceivedRequest {
  /** Flat list of names and values, without those that end here. */
  readonly headers: readonly string[];
  readonly grammar: BodyGrammar;
  readonly body: InboundBody;
}

const notSearched: BodyGrammar = { kind: 'none' };

/** Takes the headers that may go on, and reads the body if an expression can be in it or code transforms it. */
export async function receiveRequest(
  { exchange, proxy }: ProxyInvocation,
  { maxSearchedBytes, maxTransformedBytes }: ReceiveLimits,
): Promise<ReceivedRequest> {
  const headers = acceptedHeaders(exchange.request.rawHeaders);
  const runsCode = proxy.requestTransformCode !== '';
  const unread = proxy.disableDetokenization && !runsCode;
  const grammar = unread ? notSearched : bodyGrammar(exchange.headers.contentType);
  const maxBytes = runsCode ? maxTransformedBytes : maxSearchedBytes;
  const body = await receiveBody(exchange, grammar, maxBytes);
  if (runsCode) checkTransformable(body, grammar, maxBytes);
  return { headers, grammar, body };
}

/**
 * Refuses a body that no request transform can take (contract/transforms.md#bodies-of-code): it would otherwise go on
 * untransformed.
 * @throws AppError `unsupported_media_type`, `too_large`.
 */
function checkTransformable(body: InboundBody, grammar: BodyGrammar, maxBytes: number): void {
  if (body.kind === 'empty') return;
  if (!isTransformable(grammar)) {
    throw new AppError(
      'unsupported_media_type',
      'The proxy has a request transform: a body must be application/json or application/x-www-form-urlencoded, in UTF-8.',
    );
  }
  if (body.kind === 'stream') throw tooLarge(maxBytes);
}

/** JSON and forms, in UTF-8. */
export function isTransformable(grammar: BodyGrammar): boolean {
  return (grammar.kind === 'json' || grammar.kind === 'form') && grammar.utf8;
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `A body for a request transform may have at most ${maxBytes} bytes.`);
}
