import { decodeRecord } from '@glovebox/published/codec';
import { redisNames } from '@glovebox/published/keys';
import { verifyMarker } from '@glovebox/published/marker';
import { RefusedRecord, verifyValue } from '@glovebox/published/record-signature';
import { Redis } from 'ioredis';

import type { Random } from '../report/random.ts';
import type { Tally } from '../report/tally.ts';
import type { TamperStage } from './stage.ts';

/** Changes every bit of every published record of a running system, cuts it off, and puts it under every other's name. */
export async function tamperWithPublished(
  stage: TamperStage,
  tally: Tally,
  random: Random,
  share: number,
): Promise<void> {
  const redis = new Redis(stage.redisUrl);
  const names = redisNames(stage.redisPrefix);
  const { publicKeys: keys } = stage;
  const records = await oneOfEachKind(redis, names.allRecords);
  const marker = (await redis.get(names.signedMarker)) ?? '';
  redis.disconnect();

  const refusal = async (key: string, stored: Buffer): Promise<string | undefined> => {
    try {
      const { value } = await verifyValue(keys, key, stored);
      return `accepted as ${decodeRecord(value).record?.$case}`;
    } catch (error) {
      return error instanceof RefusedRecord ? undefined : String(error);
    }
  };
  const note = async (target: string, key: string, stored: Buffer, what: string) => {
    const problem = await refusal(key, stored);
    tally.note(target, problem === undefined ? 'refused: not signed' : problem, problem && `${key} ${what}`);
  };
  for (const [key, stored] of records) {
    if ((await refusal(key, stored))?.startsWith('accepted') !== true)
      throw new Error(`${key} is not accepted as it is`);
    for (let bit = 0; bit < stored.length * 8; bit += 1) {
      if (random.next() >= share) continue;
      const changed = Buffer.from(stored);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      await note('a bit of a published record', key, changed, `bit ${bit}`);
    }
    for (let length = 0; length < stored.length; length += 1) {
      if (random.next() < share)
        await note(
          'the beginning of a published record',
          key,
          stored.subarray(0, length),
          `cut at ${length}`,
        );
    }
    for (const [other, value] of records) {
      if (other !== key) await note("another's published record", key, value, `from ${other}`);
    }
  }
  for (let at = 0; at < marker.length * 7; at += 1) {
    if (random.next() >= share) continue;
    const changed = Buffer.from(marker);
    changed[Math.floor(at / 7)]! ^= 1 << (at % 7);
    const read = await verifyMarker(keys, names.signedMarker, changed.toString('latin1'));
    const same =
      JSON.stringify(read) === JSON.stringify(await verifyMarker(keys, names.signedMarker, marker));
    const outcome = read === undefined ? 'refused: not signed' : same ? 'the very same answer' : 'accepted';
    tally.note('a bit of the signed marker', outcome, outcome === 'accepted' ? `bit ${at}` : undefined);
  }
}

async function oneOfEachKind(redis: Redis, pattern: string): Promise<Map<string, Buffer>> {
  const records = new Map<string, Buffer>();
  const kinds = new Set<string>();
  for (const key of (await redis.keys(pattern)).sort()) {
    const kind = key.split(':').at(-2) ?? '';
    const stored = await redis.getBuffer(key);
    // Two applications, so that one can be taken for the other.
    if (stored === null || (kinds.has(kind) && kind !== 'application') || records.size > 9) continue;
    kinds.add(kind);
    records.set(key, stored);
  }
  return records;
}
