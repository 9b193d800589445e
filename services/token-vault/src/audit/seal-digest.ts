import { createHmac, type KeyObject } from 'node:crypto';

import { lengthPrefixed } from '../crypto/length-prefixed.ts';
import type { SealedRange } from '../store/audit-seals.ts';

/** Chains a range to all before it: without the key, a range can be neither changed nor left out. */
export function digestOf(key: KeyObject, previous: Buffer, range: SealedRange): Buffer {
  const { number, afterId, lastId, rowCount, newestAt, rowsDigest, format } = range;
  const parts = [number, afterId, lastId, String(rowCount), newestAt, rowsDigest.toString('hex')];
  // Seals of format 1 do not name it.
  if (format !== 1) parts.push(String(format));
  return mac(key, 'glovebox/audit-seal', previous.toString('hex'), ...parts);
}

/** Proves that the holder of the key removed the rows of a range. */
export function purgeProof(key: KeyObject, digest: Buffer, purgedAt: string): Buffer {
  return mac(key, 'glovebox/audit-purge', digest.toString('hex'), purgedAt);
}

function mac(key: KeyObject, ...parts: readonly string[]): Buffer {
  return createHmac('sha256', key)
    .update(lengthPrefixed(...parts))
    .digest();
}
