import { UsePurpose } from '@glovebox/protos/vault/v1/vault';

import { translateErrors } from '../http/body/expression-errors.ts';
import { findInBody } from '../http/body/find-in-body.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { respondJson } from '../http/respond.ts';
import { warnOfPaths } from '../vault/vault-caller.ts';
import { type TokenHandler, authenticateReader } from './tokens.ts';

/**
 * `POST /detokenize` (contract/tokens.md#detokenize): the body with the value of every expression in its place. The
 * vault is asked even when there is none: only it knows whether the caller may ask.
 */
export const detokenize: TokenHandler = async (exchange, dependencies) => {
  const caller = {
    ...(await authenticateReader(exchange, dependencies)),
    onUnselected: warnOfPaths(exchange),
  };
  const body = await readJsonBody(exchange, dependencies.maxBodyBytes);
  const limits = { ...exchange.bounds.expressions, maxFilledBytes: dependencies.maxFilledBytes };
  const found = await findInBody(exchange, { kind: 'json', utf8: true }, body, limits);
  const { values } = await dependencies.vault.detokenize(caller, {
    expressions: [...found.expressions],
    purpose: UsePurpose.USE_PURPOSE_DETOKENIZE,
    purposeId: '',
  });
  const filled = translateErrors(() => found.fill(values));
  exchange.held.grow(exchange, 0, filled.length);
  respondJson(exchange, 200, filled);
};
