import { createHmac, type KeyObject } from 'node:crypto';

/**
 * Tells one request's body from another's. Keyed, as a fingerprint is: what it is about rests in the database.
 *
 * @param key the tenant's request key
 */
export function requestHash(key: KeyObject, body: Buffer): string {
  return createHmac('sha256', key).update(body).digest('hex');
}
