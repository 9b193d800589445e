import type { GetToken } from '@glovebox/protos/vault/v1/vault';

import { tokenNotFound } from '../../authorization/refusals.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import { longestTokenId, tokenIdProblem } from '../../expressions/token-id-grammar.ts';
import { Work } from '../../expressions/work.ts';
import { presentToken, type ReadableToken } from '../../presentation/present-token.ts';
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
    answer: (tokens) => tokenOutcome(tokens[0] as ReadableToken),
  };
}

export function tokenOutcome(token: ReadableToken): Outcome {
  const json = Buffer.from(JSON.stringify(presentToken(token, new Work())));
  return { $case: 'token', value: { id: token.row.id, json } };
}
