import { createHmac, type KeyObject } from 'node:crypto';

/** Distinguishes the bodies of requests. Keyed like a fingerprint, because the hash is stored. */
export function requestHash(key: KeyObject, body: Buffer): string {
  return createHmac('sha256', key).update(body).digest('hex');
}
