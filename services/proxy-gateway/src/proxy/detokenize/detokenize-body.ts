import type { BodyGrammar } from '@glovebox/expressions/body-grammar';
import { findExpressions } from '@glovebox/expressions/find-expressions';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { translateErrors } from '../../http/body/expression-errors.ts';
import { isJson } from '../../http/body/is-json.ts';
import { headerObject } from '../../http/headers/header-object.ts';
import type { Invocation } from '../transform/run-transform.ts';
import { evaluate } from './evaluate.ts';

const title = 'Invalid proxy request';

export interface DetokenizeOptions {
  readonly vault: VaultClient;
  /** Of the body with the values in it. */
  readonly maxFilledBytes: number;
}

/**
 * Replaces every expression of a body by its token's data (contract/proxies.md#invocation): finds them once, asks the
 * vault once, fills by the body's own grammar. Gives back the same bytes when there is none.
 * @param headers that the proxy has taken up
 * @throws AppError `invalid_argument` for what is no valid expression or body, `unauthenticated` for an anonymous
 * caller: there is nobody whose permission could allow the use.
 */
export function detokenizeBody(
  invocation: Invocation,
  headers: readonly string[],
  body: Buffer,
  grammar: BodyGrammar,
  { vault, maxFilledBytes }: DetokenizeOptions,
): MaybePromise<Buffer> {
  if (invocation.proxy.disableDetokenization) return literal(body, grammar);
  // What calls itself JSON and is none is refused even when it holds no expression: no destination wants it.
  const limits = { ...invocation.exchange.bounds.expressions, maxFilledBytes };
  const found = translateErrors(() => findExpressions(grammar, body, limits, true), title);
  if (found.expressions.length === 0) return body;
  // Of the request only the headers: the body is not there yet.
  const variables = found.expressions.some((text) => text.startsWith('proxy'))
    ? { proxy: { request: { headers: headerObject(headers) } } }
    : undefined;
  return evaluate(invocation, found.expressions, variables, vault).then((values) => {
    const filled = translateErrors(() => found.fill(values), title);
    invocation.exchange.held.grow(invocation.exchange, 0, filled.length);
    return filled;
  });
}

/** Only a transform reads what is not searched, and it has to be what it says. */
function literal(body: Buffer, grammar: BodyGrammar): Buffer {
  if (grammar.kind !== 'json' || !grammar.utf8 || isJson(body)) return body;
  throw new AppError('invalid_argument', 'The body is not valid JSON.', { title });
}
