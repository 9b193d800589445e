import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import type {
  ListTokensForPersonRequest,
  ListTokensForPersonResponse,
} from '@glovebox/protos/vault/v1/vault';

import { personPurpose } from '../../audit/audit-entry.ts';
import { callOfPerson } from '../../calls/person-call.ts';
import { recordViolation } from '../../context/record-violation.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import { readListQuery } from '../../search/list-query.ts';
import { ValidationProblems } from '../../values/validation-problems.ts';
import { servePage } from '../tokens/serve-page.ts';

/**
 * Lists tokens for a person, by cursor, with masks at the most (contract/people.md#tokens). There is no search by data:
 * it would answer guesses.
 */
export async function listTokensForPerson(
  vault: VaultContext,
  { person, masks, query }: ListTokensForPersonRequest,
  context: UnaryContext,
): Promise<ListTokensForPersonResponse> {
  vault.barrier.requireOpen();
  vault.overload.requireRoom();
  const identified = callOfPerson(person, masks ? 'mask' : 'redact', context);
  const problems = new ValidationProblems();
  const { filter, page } = readListQuery(query, true, vault.limits.pageSize, problems.at(''));
  problems.throwIfAny();
  const wanted = { operation: 'read', purpose: personPurpose, filter, order: 'newest', page } as const;
  const serve = () => servePage(vault, identified, wanted);
  try {
    const { value } = await vault.queries.run(identified.caller.tenantId, serve);
    return { json: value.json };
  } catch (error) {
    if (error instanceof IntegrityViolation) await recordViolation(vault, identified, error, 'read');
    throw error;
  }
}
