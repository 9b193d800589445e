import type { BodyGrammar } from '@glovebox/expressions/body-grammar';
import { findExpressions } from '@glovebox/expressions/find-expressions';
import { defaultLimits } from '@glovebox/expressions/limits';
import { AppError } from '@glovebox/platform/errors';
import type { MaybePromise } from '@glovebox/platform/maybe-promise';
import { UsePurpose } from '@glovebox/protos/vault/v1/vault';
import type { ProxyRecord } from '@glovebox/published/records';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { Caller } from '../caller/identify-caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { isJson } from '../transforms/is-json.ts';
import { vaultCaller } from '../vault/vault-caller.ts';
import { translateErrors } from './translate-errors.ts';

const title = 'Invalid proxy request';

/**
 * Replaces every expression of a body by its token's data (interface.md section 4.7): finds them once, asks the
 * vault once, fills by the body's own grammar. Gives back the same bytes when there is none.
 * @throws AppError `invalid_argument` for what is no valid expression or body, `unauthenticated` for an anonymous
 * caller: there is nobody whose permission could allow the use.
 */
export function detokenizeBody(
  exchange: Exchange,
  body: Buffer,
  grammar: BodyGrammar,
  caller: Caller | undefined,
  proxy: ProxyRecord,
  vault: VaultClient,
): MaybePromise<Buffer> {
  if (proxy.disableDetokenization) return literal(body, grammar);
  // What calls itself JSON and is none is refused even when it holds no expression: no destination wants it.
  const found = translateErrors(() => findExpressions(grammar, body, defaultLimits, true), title);
  if (found.expressions.length === 0) return body;
  if (caller === undefined) {
    throw new AppError('unauthenticated', 'An anonymous request cannot use tokens: SVC-API-KEY is required.');
  }
  const use = {
    expressions: [...found.expressions],
    purpose: UsePurpose.USE_PURPOSE_PROXY,
    purposeId: proxy.id,
  };
  return vault.detokenize(vaultCaller(exchange, caller.apiKey), use).then(
    (values) => translateErrors(() => found.fill(values), title),
    (error: unknown) => Promise.reject(asProxyError(error)),
  );
}

/** Only a transform reads what is not searched, and it has to be what it says. */
function literal(body: Buffer, grammar: BodyGrammar): Buffer {
  if (grammar.kind !== 'json' || !grammar.utf8 || isJson(body)) return body;
  throw new AppError('invalid_argument', 'The body is not valid JSON.', { title });
}

/** The vault knows nothing of proxies: what is wrong with an expression gets its title here (api-facts 5.7). */
function asProxyError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_argument') return error;
  return new AppError(error.code, error.message, { errors: error.errors, cause: error.cause, title });
}
