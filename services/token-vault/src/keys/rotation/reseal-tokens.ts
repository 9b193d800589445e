import { setTimeout as sleep } from 'node:timers/promises';

import type { Transacting } from '@glovebox/platform/db/postgres';

import { keyVersionOf, open, seal } from '../../crypto/envelope.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { DataKey } from '../../crypto/tenant-keys.ts';
import type { Rotation } from '../../store/key-rotations.ts';
import { retryDeadlocks } from '../../store/retry-deadlocks.ts';
import {
  type SealedToken,
  lockSealed,
  readSealedPage,
  readUntaggedPage,
  replaceSealed,
} from '../../store/sealed-tokens.ts';
import type { StoredRow } from '../../store/token-row.ts';
import { requireAuthentic, tagFor } from '../../tokens/authentic-rows.ts';
import { dataBinding } from '../../tokens/open-rows.ts';

export interface Resealed {
  readonly resealed: number;
  /** Tokens that do not decrypt; they stay as they are. */
  readonly unreadable: number;
}

interface Dependencies {
  readonly postgres: Transacting;
  readonly keyring: Keyring;
}

const maxBatchRows = 100;
const maxBatchBytes = 4 * 1024 * 1024;

/**
 * Seals the tokens of a tenant under the new data key, a batch at a time. Rows are locked from before they are read until
 * they are committed, so that no vault's change is lost. Pauses for as long as a batch took, to leave room for requests.
 */
export async function resealTokens(
  { postgres, keyring }: Dependencies,
  { tenantId, version }: Rotation,
  onProgress: (resealed: number) => void,
  readPage = readSealedPage,
): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const page = await readPage(postgres, tenantId, after);
    after = page.at(-1)?.id;
    const earlier = page.filter((token) => !(Number(token.version) >= version));
    for (const ids of batchesOf(earlier)) {
      const began = performance.now();
      const count = await retryDeadlocks(() =>
        resealBatch({ postgres, keyring }, { tenantId, version }, ids),
      );
      resealed += count.resealed;
      unreadable += count.unreadable;
      onProgress(resealed);
      await sleep(performance.now() - began);
    }
  }
  return { resealed, unreadable };
}

/** The same for the tokens that have no tag yet. */
export function tagTokens(dependencies: Dependencies, rotation: Rotation): Promise<Resealed> {
  return resealTokens(dependencies, rotation, () => undefined, readUntaggedPage);
}

export function batchesOf(tokens: readonly SealedToken[]): string[][] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const { id, length } of tokens) {
    const last = batches.at(-1);
    bytes += length;
    if (last !== undefined && last.length < maxBatchRows && bytes <= maxBatchBytes) {
      last.push(id);
    } else {
      batches.push([id]);
      bytes = length;
    }
  }
  return batches;
}

function resealBatch(
  { postgres, keyring }: Dependencies,
  { tenantId, version }: Rotation,
  ids: readonly string[],
): Promise<Resealed> {
  return postgres.transaction(async (tx) => {
    const key = await keyring.keyToSeal(tenantId, version);
    const replaced: StoredRow[] = [];
    let unreadable = 0;
    for (const row of await lockSealed(tx, tenantId, ids)) {
      const anew = await resealOne(keyring, key, row);
      if (anew === undefined) unreadable += 1;
      else replaced.push(anew);
    }
    await replaceSealed(tx, tenantId, replaced);
    return { resealed: replaced.length, unreadable };
  });
}

async function resealOne(keyring: Keyring, key: DataKey, row: StoredRow): Promise<StoredRow | undefined> {
  const { tenantId, sealedData } = row;
  const binding = dataBinding(row);
  try {
    await requireAuthentic(keyring, [row]);
    const data = open(await keyring.sealingKey(tenantId, keyVersionOf(sealedData)), binding, sealedData);
    const anew = { ...row, sealedData: seal(key, binding, data, key.rowFormat) };
    data.fill(0);
    return { ...anew, tag: tagFor(key, anew) };
  } catch (error) {
    if (error instanceof IntegrityViolation) return undefined;
    throw error;
  }
}
