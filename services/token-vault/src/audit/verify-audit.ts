import type { KeyObject } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';

import { type FoundRange, beginning, countOutside, readRanges, readSeal } from '../store/audit-seals.ts';
import { digestOf, purgeProof } from './seal-digest.ts';

/** A seal that was noted outside of the database. */
export interface KnownSeal {
  readonly number: string;
  readonly digest: Buffer;
}

export interface Mismatch {
  /** Null: no range is concerned. */
  readonly range: { readonly number: string; readonly afterId: string; readonly lastId: string } | null;
  readonly problem: string;
}

export interface Verified {
  readonly ranges: number;
  readonly purgedRanges: number;
  readonly rows: number;
  readonly unsealedRows: number;
  /** Of the newest row that is sealed, in microseconds since the epoch. */
  readonly sealedUntil: string | undefined;
  readonly last: KnownSeal;
  readonly mismatch: Mismatch | undefined;
}

const rangesAtOnce = 20;

interface Place extends KnownSeal {
  readonly lastId: string;
}

export interface Verification {
  /** An earlier last seal: without it, a removal of the newest ranges with their rows goes unnoticed. */
  readonly known?: KnownSeal | undefined;
  /** A seal up to which an earlier call has verified: the ranges up to it are left out. */
  readonly after?: KnownSeal | undefined;
  /** @param last from where another call can go on */
  readonly onProgress?: (ranges: number, last: KnownSeal) => void;
}

/** Recomputes the seals, a few ranges at a time, and stops at the first mismatch. */
export async function verifyAudit(
  db: Queryable,
  key: KeyObject,
  { known, after: begin, onProgress }: Verification = {},
): Promise<Verified> {
  let [ranges, purgedRanges, rows] = [0, 0, 0];
  let sealedUntil: string | undefined;
  let last: Place = beginning;
  let mismatch = begin === undefined ? await outsideMismatch(db) : undefined;
  let awaited = known;
  if (begin !== undefined) {
    const found = await readSeal(db, begin.number);
    if (found?.digest.equals(begin.digest) === true) last = found;
    else
      mismatch = {
        range: null,
        problem: `there is no range ${begin.number} with the seal that was given to go on after`,
      };
    // What is before is not looked at.
    if (awaited !== undefined && BigInt(awaited.number) <= BigInt(begin.number)) awaited = undefined;
  }
  while (mismatch === undefined) {
    const page = await readRanges(db, last.number, rangesAtOnce);
    for (const range of page) {
      const problem = problemOf(key, last, range) ?? knownProblem(awaited, range);
      if (problem !== undefined) {
        mismatch = { range, problem };
        break;
      }
      if (awaited?.number === range.number) awaited = undefined;
      ranges += 1;
      if (range.purgedAt === null) rows += range.foundCount;
      else purgedRanges += 1;
      sealedUntil = range.newestAt;
      last = range;
    }
    if (page.length === 0) break;
    onProgress?.(ranges, last);
  }
  if (mismatch === undefined && awaited !== undefined) {
    mismatch = {
      range: null,
      problem: `the newest ranges were removed: there is no range ${awaited.number}`,
    };
  }
  const { after } = await countOutside(db, last.lastId);
  return { ranges, purgedRanges, rows, unsealedRows: after, sealedUntil, last, mismatch };
}

async function outsideMismatch(db: Queryable): Promise<Mismatch | undefined> {
  const { before } = await countOutside(db, beginning.lastId);
  return before > 0 ? { range: null, problem: 'rows were inserted before the first range' } : undefined;
}

function knownProblem(known: KnownSeal | undefined, range: FoundRange): string | undefined {
  if (known?.number !== range.number || known.digest.equals(range.digest)) return undefined;
  return 'its seal differs from the one printed earlier';
}

function problemOf(key: KeyObject, previous: Place, range: FoundRange): string | undefined {
  if (BigInt(range.number) !== BigInt(previous.number) + 1n) return 'ranges before it were removed';
  if (range.afterId !== previous.lastId || !digestOf(key, previous.digest, range).equals(range.digest)) {
    return 'its seal was changed';
  }
  if (range.purgedAt !== null) return purgeProblem(key, range, range.purgedAt);
  if (range.foundCount < range.rowCount) return 'rows were removed';
  if (range.foundCount > range.rowCount) return 'rows were inserted';
  return range.foundDigest.equals(range.rowsDigest) ? undefined : 'rows were changed';
}

function purgeProblem(key: KeyObject, range: FoundRange, purgedAt: string): string | undefined {
  const proof = purgeProof(key, range.digest, purgedAt);
  if (range.purgeDigest === null || !proof.equals(range.purgeDigest)) {
    return 'its rows were removed without the key';
  }
  return range.foundCount > 0 ? 'rows were inserted' : undefined;
}
