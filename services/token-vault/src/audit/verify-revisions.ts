import type { Queryable } from '@glovebox/platform/db/postgres';

import { type KnownToken, readKnownTokens } from '../store/audit-revisions.ts';

export interface RevisionMismatch {
  readonly tenantId: string;
  readonly tokenId: string;
  readonly problem: string;
}

const tokensAtOnce = 1000;

/**
 * Compares each token with the last revision that the audit log has of it, and stops at the first mismatch. A whole row
 * that was rolled back authenticates under its tag; only the log knows that there was a later one.
 */
export async function verifyRevisions(
  db: Queryable,
  onProgress: (tokens: number) => void,
): Promise<{ readonly tokens: number; readonly mismatch: RevisionMismatch | undefined }> {
  let tokens = 0;
  let last = { tenantId: '00000000-0000-0000-0000-000000000000', tokenId: '' };
  for (;;) {
    const page = await readKnownTokens(db, last, tokensAtOnce);
    for (const token of page) {
      const problem = problemOf(token);
      const { tenantId, tokenId } = token;
      if (problem !== undefined) return { tokens, mismatch: { tenantId, tokenId, problem } };
      tokens += 1;
      last = token;
    }
    if (page.length < tokensAtOnce) return { tokens, mismatch: undefined };
    onProgress(tokens);
  }
}

function problemOf(token: KnownToken): string | undefined {
  const { operation, revision, found, untagged, repeated, deleted } = token;
  if (untagged) return undefined;
  if (repeated) return 'a revision of the token was recorded twice';
  if (found === null) return deleted ? undefined : 'the token was removed without a record';
  if (operation === 'delete') return 'the token was deleted, and is there again';
  return found === revision ? undefined : 'the token is not of the revision that was recorded last';
}
