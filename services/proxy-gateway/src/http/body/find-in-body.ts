import type { BodyGrammar } from '@glovebox/expressions/body-grammar';
import { type Found, findInPieces } from '@glovebox/expressions/find-expressions';
import type { Limits } from '@glovebox/expressions/limits';
import type { FairTurns } from '@glovebox/platform/values/fair-turns';
import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';

import type { Holder } from './body-memory.ts';
import { translateErrors } from './expression-errors.ts';

/**
 * Finds the expressions of a body, which has to be JSON if its type says so. A large one is read in turns of its tenant.
 * @throws AppError
 */
export function findInBody(
  { turns, logFields }: Pick<Holder, 'logFields'> & { readonly turns: FairTurns },
  grammar: BodyGrammar,
  body: Buffer,
  limits: Limits,
  title?: string,
): MaybePromise<Found> {
  const goOn = (piece: () => boolean) =>
    turns.pieces(logFields.tenantId ?? '', () => translateErrors(piece, title));
  return translateErrors(() => findInPieces(grammar, body, limits, goOn), title);
}
