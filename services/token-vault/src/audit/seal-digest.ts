import { createHmac, type KeyObject } from 'node:crypto';

import { lengthPrefixed } from '../crypto/length-prefixed.ts';

/** A range of the audit log: the rows with `afterId` < id <= `lastId`. Numbers of Postgres that may be large are text. */
export interface SealedRange {
  /** From 1, without a gap. */
  readonly number: string;
  readonly afterId: string;
  readonly lastId: string;
  readonly rowCount: number;
  /** Of its rows, in microseconds since the epoch. */
  readonly newestAt: string;
  readonly rowsDigest: Buffer;
}

/** What the first range follows. */
export const beginning = { number: '0', lastId: '0', digest: Buffer.alloc(0) };

/** Binds a range to all before it: whoever has not the key can neither change one nor leave one out. */
export function digestOf(key: KeyObject, previous: Buffer, range: SealedRange): Buffer {
  const { number, afterId, lastId, rowCount, newestAt, rowsDigest } = range;
  const parts = [number, afterId, lastId, String(rowCount), newestAt, rowsDigest.toString('hex')];
  return mac(key, 'glovebox/audit-seal', previous.toString('hex'), ...parts);
}

/** That a range's rows were removed by who has the key. */
export function purgeProof(key: KeyObject, digest: Buffer, purgedAt: string): Buffer {
  return mac(key, 'glovebox/audit-purge', digest.toString('hex'), purgedAt);
}

function mac(key: KeyObject, ...parts: readonly string[]): Buffer {
  return createHmac('sha256', key)
    .update(lengthPrefixed(...parts))
    .digest();
}
