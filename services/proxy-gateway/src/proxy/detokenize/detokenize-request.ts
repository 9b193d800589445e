import type { BodyGrammar } from '@glovebox/expressions/body-grammar';
import type { Found } from '@glovebox/expressions/find-expressions';
import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { translateErrors } from '../../http/body/expression-errors.ts';
import { findInBody } from '../../http/body/find-in-body.ts';
import { isJson } from '../../http/body/json.ts';
import { headerObject } from '../../http/headers/header-object.ts';
import type { InboundBody } from '../receive/receive-body.ts';
import type { ReceivedRequest } from '../receive/receive-request.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { evaluate } from './evaluate.ts';
import { type ReadMessage, evaluateHeaders, holdsBraces } from './header-expressions.ts';

const title = 'Invalid proxy request';

export interface DetokenizeDependencies {
  readonly vault: Pick<VaultClient, 'detokenize'>;
  /** Of the body with the values in it. */
  readonly maxFilledBytes: number;
  /** Of a body that expressions use. */
  readonly maxTransformedBytes: number;
}

export interface DetokenizedRequest extends ReadMessage {
  readonly grammar: BodyGrammar;
  /** The body before. */
  readonly received: InboundBody;
}

const empty = Buffer.alloc(0);

/** Replaces the expressions of the body, and then those of the headers, by their values. */
export async function detokenizeRequest(
  invocation: ProxyInvocation,
  { headers, grammar, body: received }: ReceivedRequest,
  dependencies: DetokenizeDependencies,
): Promise<DetokenizedRequest> {
  const whole =
    received.kind === 'whole'
      ? await detokenizeBody(invocation, headers, received.text, grammar, dependencies)
      : undefined;
  const body = received.kind === 'empty' ? empty : whole;
  if (invocation.proxy.disableDetokenization || !holdsBraces(headers)) {
    return { headers, body, grammar, received };
  }
  const { vault, maxTransformedBytes } = dependencies;
  const filled = await evaluateHeaders(invocation, { headers, body }, vault, maxTransformedBytes);
  return { headers: filled, body, grammar, received };
}

/**
 * Replaces every expression of a body by its token's data (contract/proxies.md#invocation): finds them once, asks the
 * vault once, fills by the body's own grammar. Gives back the same bytes when there is none.
 * @throws AppError `invalid_argument` for an invalid expression or body, `unauthenticated` for an anonymous caller, who
 * has no permission to use tokens.
 */
function detokenizeBody(
  invocation: ProxyInvocation,
  headers: readonly string[],
  body: Buffer,
  grammar: BodyGrammar,
  dependencies: DetokenizeDependencies,
): MaybePromise<Buffer> {
  if (invocation.proxy.disableDetokenization) return literal(body, grammar);
  const { exchange } = invocation;
  // Invalid JSON is refused even when it holds no expression: no destination wants it.
  const limits = { ...exchange.bounds.expressions, maxFilledBytes: dependencies.maxFilledBytes };
  return andThen(findInBody(exchange, grammar, body, limits, title), (found) =>
    fillBody(invocation, headers, body, found, dependencies),
  );
}

function fillBody(
  invocation: ProxyInvocation,
  headers: readonly string[],
  body: Buffer,
  found: Found,
  { vault }: DetokenizeDependencies,
): MaybePromise<Buffer> {
  if (found.expressions.length === 0) return body;
  // Only the headers of the request: its body is not filled yet.
  const variables = found.expressions.some((text) => text.startsWith('proxy'))
    ? { proxy: { request: { headers: headerObject(headers) } } }
    : undefined;
  invocation.sentBody = body;
  return evaluate(invocation, found.expressions, variables, vault).then((values) => {
    const filled = translateErrors(() => found.fill(values), title);
    invocation.exchange.held.grow(invocation.exchange, 0, filled.length);
    return filled;
  });
}

/** Only a transform reads a body that is not searched, and it must be what its type says. */
function literal(body: Buffer, grammar: BodyGrammar): Buffer {
  if (grammar.kind !== 'json' || !grammar.utf8 || isJson(body)) return body;
  throw new AppError('invalid_argument', 'The body is not valid JSON.', { title });
}
