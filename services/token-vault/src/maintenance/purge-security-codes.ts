import type { Queryable } from '@glovebox/platform/db/postgres';

import type { VaultContext } from '../context/vault-context.ts';
import { seal } from '../crypto/envelope.ts';
import { searchHash } from '../crypto/search-hash.ts';
import { isToken } from '../events/event-data.ts';
import { systemOrigin } from '../events/vault-events.ts';
import { WorkBudget } from '../expressions/expression-limits.ts';
import {
  type DueCard,
  type ReplacedData,
  forgetOtherTypes,
  lockDueCards,
  replaceData,
} from '../store/security-codes.ts';
import { deriveSearchValues } from '../tokens/derive-values.ts';
import { dataBinding, openRow } from '../tokens/open-rows.ts';
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
  await forgetOtherTypes(vault.postgres, cardTypes);
  let purged = 0;
  let after: DueCard | undefined;
  for (;;) {
    const { cards, replaced } = await vault.postgres.transaction(async (tx) => {
      const cards = await lockDueCards(tx, cardTypes, batchSize, after);
      const replaced: ReplacedData[] = [];
      for (const card of cards) {
        const data = await dataWithoutCode(vault, card);
        if (data !== undefined) replaced.push(data);
      }
      await replaceData(tx, replaced);
      await keepEvents(vault, tx, replaced);
      return { cards, replaced };
    });
    purged += replaced.filter(({ sealedData }) => sealedData !== null).length;
    after = cards.at(-1);
    if (cards.length < batchSize) return purged;
  }
}

async function keepEvents(
  { events }: VaultContext,
  tx: Queryable,
  replaced: readonly ReplacedData[],
): Promise<void> {
  const changed = replaced.filter(({ sealedData }) => sealedData !== null);
  for (const [tenantId, cards] of Map.groupBy(changed, (one) => one.tenantId)) {
    await events.emitWithin(tx, systemOrigin(tenantId), 'token.property.expired', () =>
      cards.filter(isToken).map(({ id }) => ({ id, property_name: 'cvc' })),
    );
  }
}

const ignore = () => undefined;

async function dataWithoutCode(vault: VaultContext, card: DueCard): Promise<ReplacedData | undefined> {
  const { tenantId, id, type, searchIndexes } = card;
  try {
    const data = parseJson(await openRow(vault, { ...card, cvcExpiresAt: null }));
    const remaining = withoutSecurityCode(type, data);
    if (remaining === data) return { tenantId, id, sealedData: null, searchHashes: null };
    const key = await vault.keyring.currentSealingKey(tenantId);
    const { search } = await vault.keyring.indexKeys(tenantId);
    return {
      tenantId,
      id,
      sealedData: seal(key, dataBinding(card), Buffer.from(JSON.stringify(remaining))),
      // An index over the removed code matches nothing any more.
      searchHashes: deriveSearchValues(
        { searchIndexes, data: remaining },
        vault.limits.token,
        ignore,
        new WorkBudget(),
      ).map((value) => searchHash(search, value)),
    };
  } catch (err) {
    vault.logger.warn({ err, tenant_id: tenantId }, 'a security code could not be removed');
    return undefined;
  }
}
