import type { ExpiresAt } from '@glovebox/access/expires-at';

import type { JsonObject, JsonValue } from '../values/json-value.ts';
import type { Metadata } from './read-fields.ts';

/** What clients say about a token: all of it but id and type can change. */
export interface TokenContent {
  readonly type: string;
  /** In the form in which it is kept: numbers of a card where the client sent text, and so on. */
  readonly data: JsonValue;
  readonly mask: JsonValue;
  readonly fingerprintExpression: string;
  readonly container: string;
  readonly metadata: Metadata | undefined;
  readonly searchIndexes: readonly string[];
  readonly expiresAt: ExpiresAt | undefined;
  readonly encryption: JsonObject | undefined;
}
