import { findExpressions } from '@glovebox/expressions/find-expressions';
import { UsePurpose } from '@glovebox/protos/vault/v1/vault';

import { translateErrors } from '../http/body/expression-errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBytes } from '../http/read-json-body.ts';
import { respondJson } from '../http/respond.ts';
import { warnOfPaths } from '../vault/warn-of-paths.ts';
import { type TokenRoutes, identify } from './tokens.ts';

/**
 * `POST /detokenize` (contract/tokens.md#detokenize): the body with the value of every expression in its place. The
 * vault is asked also when there is none, because it is what knows whether the caller may ask.
 */
export async function detokenize(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  const caller = { ...(await identify(exchange, routes)), onUnselected: warnOfPaths(exchange) };
  const body = await readJsonBytes(exchange, routes.maxBodyBytes);
  const limits = { ...exchange.bounds.expressions, maxFilledBytes: routes.maxFilledBytes };
  const found = translateErrors(() => findExpressions({ kind: 'json', utf8: true }, body, limits, true));
  const values = await routes.vault.detokenize(caller, {
    expressions: [...found.expressions],
    purpose: UsePurpose.USE_PURPOSE_DETOKENIZE,
    purposeId: '',
  });
  const filled = translateErrors(() => found.fill(values));
  exchange.held.grow(exchange, 0, filled.length);
  respondJson(exchange, 200, filled);
}
