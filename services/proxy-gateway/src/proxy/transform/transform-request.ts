import { encodeBody } from '@glovebox/egress/encode-body';
import { framingHeaders, withoutHeaders } from '@glovebox/egress/header-list';
import { outboundHeaders } from '@glovebox/egress/headers';
import { findExpressions } from '@glovebox/expressions/find-expressions';

import { headerObject } from '../../http/headers/header-object.ts';
import { beforeCode } from '../../idempotency/invocation-progress.ts';
import type { DetokenizedRequest } from '../detokenize/detokenize-request.ts';
import { encryptedRequired, isEncrypted } from '../detokenize/evaluate.ts';
import type { OutboundMessage } from '../forward/outbound-request.ts';
import { tooLarge } from '../receive/receive-request.ts';
import { type ProxyInvocation, stepsOf } from '../resolve/proxy-invocation.ts';
import { argsText } from './args-text.ts';
import { makeToken } from './make-token.ts';
import { runCode } from './run-code.ts';
import type { RequestTransformDependencies } from './transformation.ts';

/** Runs the transforms of a request (contract/transforms.md#code), in their order. */
export async function transformRequest(
  invocation: ProxyInvocation,
  request: DetokenizedRequest,
  dependencies: RequestTransformDependencies,
): Promise<OutboundMessage> {
  const { exchange, proxy, progress } = invocation;
  const steps = stepsOf(proxy, 'request');
  let message = untransformed(request, exchange.headers.contentLength);
  if (steps.length + stepsOf(proxy, 'response').length === 0) return message;
  invocation.transforming = 'request';
  requireEncrypted(invocation);
  for (const step of steps) {
    if (step.type === 'tokenize') {
      progress.reaches('code');
      await makeToken(invocation, step, { side: 'request', message: request }, dependencies);
    } else {
      beforeCode(progress, dependencies.runner);
      message = await runRequestCode(invocation, request, dependencies);
    }
  }
  return message;
}

/** @param contentLength as the client announced it */
function untransformed(
  { headers, body, received }: DetokenizedRequest,
  contentLength: string | undefined,
): OutboundMessage {
  if (received.kind !== 'whole') {
    const stream = received.kind === 'stream' ? received.stream : null;
    return { headers, contentLength, decoded: false, body: stream };
  }
  const changed = body !== undefined && body !== received.text;
  const bytes = changed ? body : received.sent;
  return { headers, contentLength: String(bytes.length), decoded: changed && received.decoded, body: bytes };
}

/** What the code returns replaces the headers and the body. It may name any header; the service's own are made anew. */
async function runRequestCode(
  invocation: ProxyInvocation,
  { headers, grammar, received, ...read }: DetokenizedRequest,
  { runner, maxTransformedBytes }: RequestTransformDependencies,
): Promise<OutboundMessage> {
  const body = received.kind === 'empty' ? undefined : read.body;
  if (body !== undefined && body.length > maxTransformedBytes) throw tooLarge(maxTransformedBytes);
  const { exchange, target } = invocation;
  const args = {
    headers: headerObject(withoutHeaders(headers, framingHeaders)),
    method: exchange.request.method,
    path: target.subPath,
    query: target.query === '' ? '' : `?${target.query}`,
  };
  const hasBody = body !== undefined;
  const contentType = hasBody ? exchange.headers.contentType : undefined;
  const replaced = { hasBody, contentType, status: 0 };
  const result = await runCode(invocation, 'request', argsText(args, body, grammar), replaced, runner);
  const encoded = encodeBody(result, contentType, 'request');
  const { length } = encoded.body;
  return {
    headers: outboundHeaders(encoded.headers),
    contentLength: length > 0 ? String(length) : undefined,
    decoded: true,
    body: length > 0 ? encoded.body : null,
  };
}

/**
 * Refuses a request without SVC-ENCRYPTED whose response would be transformed by it: once the destination was called,
 * its answer could not be shown.
 * @throws AppError `invalid_argument`
 */
function requireEncrypted({ exchange, proxy }: ProxyInvocation): void {
  if ((exchange.headers.encrypted ?? '') !== '') return;
  // Nothing is filled.
  const limits = { ...exchange.bounds.expressions, maxFilledBytes: 0 };
  for (const { type, value } of stepsOf(proxy, 'response')) {
    if (type !== 'tokenize' || !value.includes('encrypted')) continue;
    const grammar = { kind: 'json', utf8: true } as const;
    const { expressions } = findExpressions(grammar, Buffer.from(value), limits, true);
    if (expressions.some(isEncrypted)) throw encryptedRequired();
  }
}
