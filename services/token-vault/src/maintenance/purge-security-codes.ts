import type { Queryable } from '@glovebox/platform/db/postgres';

import { recordOwnViolation } from '../context/record-violation.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import { searchHash } from '../crypto/search-hash.ts';
import { isToken } from '../events/event-data.ts';
import { systemOrigin } from '../events/vault-events.ts';
import { WorkBudget } from '../expressions/expression-limits.ts';
import {
  type DueCard,
  type ReplacedCard,
  forgetOtherTypes,
  lockDueCards,
  replaceCards,
} from '../store/security-codes.ts';
import type { StoredRow } from '../store/token-row.ts';
import { requireAuthentic } from '../tokens/authentic-rows.ts';
import { bindRow, retag } from '../tokens/bind-rows.ts';
import { deriveSearchValues } from '../tokens/derive-values.ts';
import { openRow, sealData } from '../tokens/open-rows.ts';
import { withoutSecurityCode } from '../tokens/security-code.ts';
import { cardTypes } from '../tokens/token-type.ts';
import { parseJson } from '../values/json-value.ts';

/** A row may hold a MiB. */
const batchSize = 20;

/**
 * Removes expired security codes of cards, each with an audit row. Vaults may run it at the same time. A card that
 * does not decrypt is skipped: nobody can read it either.
 * @returns how many there were
 */
export async function purgeSecurityCodes(vault: VaultContext): Promise<number> {
  const db = vault.postgres.acrossTenants('purge');
  await forgetOtherTypes(db, cardTypes);
  let purged = 0;
  let after: DueCard | undefined;
  for (;;) {
    const { cards, changed } = await db.transaction(async (tx) => {
      const cards = await lockDueCards(tx, cardTypes, batchSize, after);
      const replaced: ReplacedCard[] = [];
      for (const card of cards) {
        const without = await withoutCode(vault, tx, card);
        if (without !== undefined) replaced.push(without);
      }
      await replaceCards(tx, replaced);
      const changed = replaced.filter(({ changesData }) => changesData).map(({ row }) => row);
      await keepEvents(vault, tx, changed);
      return { cards, changed };
    });
    purged += changed.length;
    after = cards.at(-1);
    if (cards.length < batchSize) return purged;
  }
}

async function keepEvents(
  { events }: VaultContext,
  tx: Queryable,
  changed: readonly StoredRow[],
): Promise<void> {
  for (const [tenantId, cards] of Map.groupBy(changed, (one) => one.tenantId)) {
    await events.emitWithin(tx, systemOrigin(tenantId), 'token.property.expired', () =>
      cards.filter(isToken).map(({ id }) => ({ id, property_name: 'cvc' })),
    );
  }
}

const ignore = () => undefined;

async function withoutCode(
  vault: VaultContext,
  tx: Queryable,
  { dueAt: _dueAt, ...card }: DueCard,
): Promise<ReplacedCard | undefined> {
  const { tenantId, type, searchIndexes } = card;
  try {
    await requireAuthentic(vault.keyring, [card]);
    const row = { ...card, cvcExpiresAt: null };
    const data = parseJson(await openRow(vault, row));
    const remaining = withoutSecurityCode(type, data);
    // A change that no reader can see makes no new revision.
    if (remaining === data) return { row: await retag(vault.keyring, row), changesData: false };
    const key = await vault.keyring.currentSealingKey(tenantId);
    const { search } = await vault.keyring.indexKeys(tenantId);
    const changed = {
      ...row,
      sealedData: sealData(key, card, JSON.stringify(remaining)),
      // An index over the removed code matches nothing any more.
      searchHashes: deriveSearchValues(
        { searchIndexes, data: remaining },
        vault.limits.token,
        ignore,
        new WorkBudget(),
      ).map((value) => searchHash(search, value)),
    };
    return { row: await bindRow(vault, tx, changed), changesData: true };
  } catch (err) {
    if (err instanceof IntegrityViolation) await recordOwnViolation(vault, tenantId, err, 'update');
    else vault.logger.warn({ err, tenant_id: tenantId }, 'a security code could not be removed');
    return undefined;
  }
}
