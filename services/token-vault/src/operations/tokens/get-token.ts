import type { GetToken } from '@glovebox/protos/vault/v1/vault';

import { tokenNotFound } from '../../authorization/refusals.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import { WorkBudget } from '../../expressions/expression-limits.ts';
import { longestTokenId, tokenIdProblem } from '../../expressions/token-id-grammar.ts';
import { type ReadableToken, presentToken, textOfToken } from '../../presentation/present-token.ts';
import type { Read } from '../reads/read-tokens.ts';

export function planGetToken({ call, caller }: IdentifiedCall, { tokenId }: GetToken): Read {
  if (tokenIdProblem(tokenId, longestTokenId) !== undefined) throw tokenNotFound();
  return {
    kind: 'read',
    call,
    caller,
    operation: 'read',
    onlyRevealed: false,
    tokenIds: [tokenId],
    purpose: null,
    purposeId: null,
    refuseUnknown: tokenNotFound,
    toOutcome: (token) => tokenOutcome(token(tokenId)),
  };
}

export function tokenOutcome(token: ReadableToken): Outcome {
  const json = Buffer.from(textOfToken(presentToken(token, new WorkBudget())));
  return { $case: 'token', value: { id: token.row.id, json } };
}
