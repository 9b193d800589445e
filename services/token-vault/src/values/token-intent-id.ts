import { randomUUID } from 'node:crypto';

import { isUuid } from './uuid.ts';

/**
 * A token intent is a token for a day that only expressions reach: its row has an id that no token may have
 * (token-id-grammar.ts), so that it is in no list and at no token's address.
 */
export const intentHead = 'token_intent:';

/** The rows of intents among those of tokens, as a condition. */
export const isIntent = `starts_with(id, '${intentHead}')`;

/** The id of a new intent's row. */
export function newIntentRowId(): string {
  return `${intentHead}${randomUUID()}`;
}

/** Undefined for what is the id of no intent. */
export function intentRowId(id: string): string | undefined {
  const lower = id.toLowerCase();
  return isUuid(lower) ? `${intentHead}${lower}` : undefined;
}

export function intentIdOf(rowId: string): string {
  return rowId.slice(intentHead.length);
}
