import { setTimeout as sleep } from 'node:timers/promises';

import type { Queryable, TenantDatabase } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import { keyVersionOf, open, seal } from '../../crypto/envelope.ts';
import { fingerprint } from '../../crypto/fingerprint.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { searchHash } from '../../crypto/search-hash.ts';
import type { IndexKeys } from '../../crypto/tenant-keys.ts';
import { WorkBudget } from '../../expressions/expression-limits.ts';
import {
  type IndexRotation,
  type Remade,
  beginWriting,
  endIndexRotation,
  indexRotations,
  noteRemade,
  replaceIndexed,
} from '../../store/index-rotations.ts';
import { takeRotationLock } from '../../store/key-rotations.ts';
import { retryDeadlocks } from '../../store/retry-deadlocks.ts';
import { lockSealed, readSealedPage } from '../../store/sealed-tokens.ts';
import type { StoredRow } from '../../store/token-row.ts';
import { requireAuthentic, tagFor } from '../../tokens/authentic-rows.ts';
import type { TokenLimits } from '../../tokens/data-limits.ts';
import { deriveFingerprintText, deriveSearchValues } from '../../tokens/derive-values.ts';
import { dataBinding } from '../../tokens/open-rows.ts';
import { parseJson } from '../../values/json-value.ts';
import { batchesOf } from './reseal-tokens.ts';

interface Remaking {
  readonly postgres: TenantDatabase;
  readonly keyring: Keyring;
  readonly limits: TokenLimits;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Takes the rotations of index keys further. Each step waits until every vault has learnt of the one before, so that at any
 * moment vaults differ by one step: what one writes, the others find. It may be interrupted at any time.
 * @param settleMs after which every vault knows of a step
 */
export async function remakeIndexes(remaking: Remaking, settleMs: number): Promise<void> {
  const db = remaking.postgres.acrossTenants('index rotation');
  for (const { tenantId } of await indexRotations(db)) {
    const work = db.transaction(async (lock) => {
      if (!(await takeRotationLock(lock))) return;
      const [rotation] = await indexRotations(remaking.postgres.forTenant(tenantId), tenantId);
      if (rotation !== undefined) await advance(remaking, rotation, settleMs);
    });
    await work.catch((err: unknown) => {
      remaking.logger.warn(
        { err, tenant_id: tenantId },
        'fingerprints were not all made anew; the next round will continue',
      );
    });
  }
}

async function advance(remaking: Remaking, rotation: IndexRotation, settleMs: number): Promise<void> {
  const { postgres, keyring, logger } = remaking;
  const { tenantId, version } = rotation;
  const db = postgres.forTenant(tenantId);
  const keyAge = await keyring.addIndexKey(tenantId, version);
  if (Math.min(rotation.phaseAge, keyAge) < settleMs) return;
  if (rotation.phase === 'announced') return beginWriting(db, rotation);
  const keys = await keyring.indexKeys(tenantId);
  // This vault would write under the key before.
  if (keys.version !== version) return;
  await remakeTokens(remaking, rotation, keys);
  await endIndexRotation(db, rotation);
  logger.info(
    { tenant_id: tenantId, version },
    'fingerprints and search hashes are made under a new index key',
  );
}

/** At most at half speed, to leave room for requests. */
async function remakeTokens(remaking: Remaking, rotation: IndexRotation, keys: IndexKeys): Promise<void> {
  const { tenantId } = rotation;
  const db = remaking.postgres.forTenant(tenantId);
  for (let after = rotation.afterId; ;) {
    const page = await readSealedPage(db, tenantId, after);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const ids of batchesOf(page)) {
      const began = performance.now();
      await retryDeadlocks(() =>
        db.transaction(async (tx) => {
          const remade = await remakeBatch(remaking, tx, tenantId, ids, keys);
          await noteRemade(tx, rotation, ids.at(-1) ?? after, remade);
        }),
      );
      await sleep(performance.now() - began);
    }
    after = last.id;
  }
}

async function remakeBatch(
  { keyring, limits }: Remaking,
  tx: Queryable,
  tenantId: string,
  ids: readonly string[],
  keys: IndexKeys,
): Promise<Remade> {
  const replaced: StoredRow[] = [];
  let [lost, unreadable] = [0, 0];
  for (const row of await lockSealed(tx, tenantId, ids)) {
    try {
      const anew = await remakeOne(keyring, limits, row, keys);
      if (anew === undefined) continue;
      replaced.push(anew);
      if (row.fingerprint !== null && anew.fingerprint === null) lost += 1;
    } catch (error) {
      if (!(error instanceof IntegrityViolation)) throw error;
      unreadable += 1;
    }
  }
  await replaceIndexed(tx, tenantId, replaced);
  return { remade: replaced.length, lost, unreadable };
}

const ignore = () => undefined;

/** Undefined: it is under the new key already. The data is sealed anew too, so that an update that has read the row notices. */
async function remakeOne(
  keyring: Keyring,
  limits: TokenLimits,
  row: StoredRow,
  keys: IndexKeys,
): Promise<StoredRow | undefined> {
  const { tenantId, sealedData } = row;
  const binding = dataBinding(row);
  await requireAuthentic(keyring, [row]);
  const version = keyVersionOf(sealedData);
  const bytes = open(await keyring.sealingKey(tenantId, version), binding, sealedData);
  try {
    const derived = derive(row, bytes.toString(), limits, keys);
    if (isSame(row, derived)) return undefined;
    const current = await keyring.currentSealingKey(tenantId);
    // Another vault may know a newer one.
    const key = current.version >= version ? current : await keyring.keyToSeal(tenantId, version);
    const anew = { ...row, ...derived, sealedData: seal(key, binding, bytes, key.rowFormat) };
    return { ...anew, tag: tagFor(key, anew) };
  } finally {
    bytes.fill(0);
  }
}

type Derived = Pick<StoredRow, 'fingerprint' | 'searchHashes'>;

function derive(row: StoredRow, json: string, limits: TokenLimits, keys: IndexKeys): Derived {
  const data = parseJson(json);
  const work = new WorkBudget();
  const values = deriveSearchValues({ searchIndexes: row.searchIndexes, data }, limits, ignore, work);
  return {
    fingerprint: row.fingerprint === null ? null : remadeFingerprint(row, row.fingerprint, json, keys),
    searchHashes: values.map((value) => searchHash(keys.search, value)),
  };
}

/** Null when its source is gone, such as an expired security code: then it cannot be computed. */
function remadeFingerprint(row: StoredRow, present: string, json: string, keys: IndexKeys): string | null {
  const content = {
    fingerprintExpression: row.fingerprintExpression ?? '',
    data: parseJson(json),
    metadata: row.metadata ?? undefined,
  };
  const text = deriveFingerprintText(content, ignore, new WorkBudget());
  if (text === null) return null;
  const known = [keys, ...keys.others].map((one) => fingerprint(one.fingerprint, row.type, text));
  return known.includes(present) ? (known[0] ?? null) : null;
}

function isSame(row: StoredRow, { fingerprint: made, searchHashes }: Derived): boolean {
  if (made !== row.fingerprint || searchHashes.length !== row.searchHashes.length) return false;
  return searchHashes.every((hash, at) => row.searchHashes[at]?.equals(hash) === true);
}
