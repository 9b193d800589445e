import { createHmac, type KeyObject } from 'node:crypto';

/**
 * A value of a search index, as it rests in the database: equal values can be found, none can be read. Case does not
 * count (contract/tokens.md#search and contract/choices.md#case-in-searches-of-data), nor does the way in which an
 * accented letter is composed.
 *
 * @param key the tenant's search key
 */
export function searchHash(key: KeyObject, value: string): Buffer {
  return createHmac('sha256', key).update(value.normalize('NFC').toLowerCase()).digest();
}
