import { randomUUID } from 'node:crypto';

import { isUuid } from './uuid.ts';

/**
 * A token intent is a token that lives a day and that only expressions reach. The id of its row is not a valid
 * token id (token-id-grammar.ts), so that no list and no address of a token shows it.
 */
export const intentHead = 'token_intent:';

/** An SQL condition for the rows of intents. */
export const isIntent = `starts_with(id, '${intentHead}')`;

export function newIntentRowId(): string {
  return `${intentHead}${randomUUID()}`;
}

/** Undefined for a malformed id. */
export function intentRowId(id: string): string | undefined {
  const lower = id.toLowerCase();
  return isUuid(lower) ? `${intentHead}${lower}` : undefined;
}

export function intentIdOf(rowId: string): string {
  return rowId.slice(intentHead.length);
}
