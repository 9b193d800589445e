import { createHmac, type KeyObject } from 'node:crypto';

import { base58 } from './base58.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/**
 * The same value gives the same fingerprint, per tenant and token type, and nothing else follows from it. Keyed: a card
 * number has so few possible values that an attacker who tries them all learns it from a plain hash.
 *
 * @param key the tenant's fingerprint key
 * @param text what the token's fingerprint expression evaluates to
 * @returns base58, about 44 characters
 */
export function fingerprint(key: KeyObject, tokenType: string, text: string): string {
  return base58(createHmac('sha256', key).update(lengthPrefixed(tokenType, text.toWellFormed())).digest());
}
