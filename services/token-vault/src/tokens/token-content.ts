import type { ExpiresAt } from '@glovebox/access/expires-at';

import type { JsonObject, JsonValue } from '../values/json-value.ts';
import type { Metadata } from './read-fields.ts';

/** The client's part of a token. Everything here can change; id and type cannot. */
export interface TokenContent {
  readonly type: string;
  readonly data: JsonValue;
  readonly mask: JsonValue;
  readonly fingerprintExpression: string;
  readonly container: string;
  readonly metadata: Metadata | undefined;
  readonly searchIndexes: readonly string[];
  readonly expiresAt: ExpiresAt | undefined;
  readonly encryption: JsonObject | undefined;
}
