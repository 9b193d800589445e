import { purgeRecords } from '@glovebox/platform/db/idempotent-transaction';
import { makePartitionsAhead } from '@glovebox/platform/db/log-partitions';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { AuditSeals } from '../audit/audit-seals.ts';
import type { VaultContext } from '../context/vault-context.ts';
import type { KeyProvider } from '../crypto/key-provider.ts';
import { isToken } from '../events/event-data.ts';
import { systemOrigin } from '../events/vault-events.ts';
import { remakeIndexes } from '../keys/rotation/remake-index.ts';
import { rotateDueKeys } from '../keys/rotation/rotate-due-keys.ts';
import { tagRows } from '../keys/rotation/tag-rows.ts';
import { auditLog } from '../store/audit-partitions.ts';
import { purgeClientKeys } from '../store/client-keys.ts';
import { gatherOperations } from '../store/operation-counts.ts';
import { expiredBatch, removeExpired } from '../store/purge-expired.ts';
import { activityMonths, gatherActivity } from '../store/token-activity.ts';
import { purgeTraffic } from '../store/traffic.ts';
import { eraseTenants } from './erase-tenants.ts';
import { KeyForgetting } from './forget-keys.ts';
import { purgeSecurityCodes } from './purge-security-codes.ts';

const dayMs = 24 * 60 * 60_000;

/** Each task waits an interval after its last run, until it is disposed. This one removes expired rows. */
export function purgePeriodically(
  vault: VaultContext,
  seals: AuditSeals,
  {
    purgeIntervalMs,
    auditRetentionDays,
  }: { readonly purgeIntervalMs: number; readonly auditRetentionDays: number },
): AsyncDisposable {
  const { metrics, logger, postgres, barrier } = vault;
  return repeatedly(purgeIntervalMs, async () => {
    await makePartitionsAhead(auditLog(postgres.withoutTenant), auditRetentionDays, logger);
    try {
      metrics.purged.add(await purgeExpired(vault));
      if (barrier.state === 'open') metrics.securityCodesPurged.add(await purgeSecurityCodes(vault));
      const db = postgres.acrossTenants('purge');
      await purgeClientKeys(db);
      await purgeRecords(db, Date.now());
      await purgeTraffic(db, new Date());
      if (auditRetentionDays > 0 && barrier.state === 'open') {
        // Only sealed rows may be purged.
        await seals.seal();
        await seals.purge(new Date(Date.now() - auditRetentionDays * dayMs));
      }
    } catch (err) {
      logger.warn({ err }, 'not all that has expired was removed; the next round will try again');
    }
  });
}

/** Gathers which tokens were active, and how often each operation was done. */
export function gatherPeriodically(
  { postgres, logger }: Pick<VaultContext, 'postgres' | 'logger'>,
  intervalMs: number,
): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    await makePartitionsAhead(activityMonths(postgres.withoutTenant), 0, logger);
    const db = postgres.acrossTenants('reports');
    await gatherActivity(db).catch((err: unknown) => {
      logger.warn({ err }, 'the activity of tokens was not gathered; the next round will try again');
    });
    await gatherOperations(db).catch((err: unknown) => {
      logger.warn({ err }, 'operations were not counted; the next round will try again');
    });
  });
}

export function sealPeriodically(
  { barrier, logger }: Pick<VaultContext, 'barrier' | 'logger'>,
  seals: AuditSeals,
  intervalMs: number,
): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    if (barrier.state !== 'open') return;
    await seals.seal().catch((err: unknown) => {
      logger.warn({ err }, 'the audit log was not sealed; the next round will try again');
    });
  });
}

/**
 * Removes expired tokens, each with an audit row. Vaults may run it at the same time: each locks rows that no other
 * holds.
 * @returns how many there were
 */
async function purgeExpired({ postgres, events }: VaultContext): Promise<number> {
  let purged = 0;
  for (;;) {
    const count = await postgres.acrossTenants('purge').transaction(async (tx) => {
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

/** Seals rows of format 1 anew, once an operator has begun that. */
export function tagPeriodically(
  { postgres, keyring, barrier, logger }: Pick<VaultContext, 'postgres' | 'keyring' | 'barrier' | 'logger'>,
  provider: KeyProvider,
  intervalMs: number,
): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    if (barrier.state !== 'open') return;
    await tagRows({ postgres, keyring, provider, logger }).catch((err: unknown) => {
      logger.warn({ err }, 'rows were not sealed in format 2; the next round will try again');
    });
  });
}

/** Takes the rotations of index keys further, which an operator has begun. */
export function remakePeriodically(
  { postgres, keyring, barrier, limits, logger }: VaultContext,
  { intervalMs, settleMs }: { readonly intervalMs: number; readonly settleMs: number },
): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    if (barrier.state !== 'open') return;
    await remakeIndexes({ postgres, keyring, limits: limits.token, logger }, settleMs).catch(
      (err: unknown) => {
        logger.warn({ err }, 'fingerprints were not all made anew; the next round will continue');
      },
    );
  });
}

/** Rotates data keys that are older than they should be. */
export function rotatePeriodically(
  { postgres, keyring, barrier, logger }: Pick<VaultContext, 'postgres' | 'keyring' | 'barrier' | 'logger'>,
  { intervalMs, maxAgeDays }: { readonly intervalMs: number; readonly maxAgeDays: number },
): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    if (barrier.state !== 'open') return;
    await rotateDueKeys({ postgres, keyring, logger }, maxAgeDays).catch((err: unknown) => {
      logger.warn({ err }, 'old data keys were not all rotated; the next round will continue');
    });
  });
}

/** Looks every second which tenants were erased: their keys are dropped, and their rows erased. */
export function erasePeriodically(
  vault: VaultContext,
  { intervalMs, settleMs }: { readonly intervalMs: number; readonly settleMs: number },
): AsyncDisposable {
  const forgetting = new KeyForgetting(vault);
  const tasks = new AsyncDisposableStack();
  tasks.use(repeatedly(intervalMs, () => forgetting.look()));
  tasks.use(
    repeatedly(intervalMs, async () => {
      await eraseTenants(vault, settleMs).catch((err: unknown) => {
        vault.logger.warn({ err }, 'erased tenants were not found; the next round will try again');
      });
    }),
  );
  return tasks;
}
