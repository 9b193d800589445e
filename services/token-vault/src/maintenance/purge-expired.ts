import type { VaultContext } from '../context/vault-context.ts';
import { isToken } from '../events/event-data.ts';
import { systemOrigin } from '../events/vault-events.ts';
import { expiredBatch, removeExpired } from '../store/purge-expired.ts';

/**
 * Removes expired tokens, each with an audit row. Vaults may run it at the same time: each locks rows that no other
 * holds.
 * @returns how many there were
 */
export async function purgeExpired({ postgres, events }: VaultContext): Promise<number> {
  let purged = 0;
  for (;;) {
    const count = await postgres.transaction(async (tx) => {
      const removed = await removeExpired(tx);
      for (const [tenantId, tokens] of Map.groupBy(removed, (one) => one.tenantId)) {
        await events.emitWithin(tx, systemOrigin(tenantId), 'token.expired', () =>
          tokens.filter(isToken).map(({ id }) => ({ id })),
        );
      }
      return removed.length;
    });
    purged += count;
    if (count < expiredBatch) return purged;
  }
}
