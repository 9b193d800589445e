import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import { settleMs } from '../../crypto/key-ages.ts';
import type { KeyProvider } from '../../crypto/key-provider.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { rewrapDek } from '../../crypto/tenant-keys.ts';
import { takeRotationLock } from '../../store/key-rotations.ts';
import { ageOfKey, keysWithoutTags, requireTags, tenantsToTag } from '../../store/row-formats.ts';
import { createDekStore } from '../../store/tenant-keys.ts';
import { resealClientKeys } from './reseal-client-keys.ts';
import { tagTokens } from './reseal-tokens.ts';

interface Tagging {
  readonly postgres: TenantDatabase;
  readonly keyring: Keyring;
  readonly provider: KeyProvider;
  readonly logger: Logger;
}

/**
 * Seals all rows in format 2, tenant by tenant, and then makes each tenant's keys refuse format 1. Nothing is done before
 * an operator begins it (`integrity begin`). It may be interrupted at any time: the next round looks at what is left. One
 * vault works at a time, and not while keys rotate.
 */
export async function tagRows(tagging: Tagging): Promise<void> {
  const db = tagging.postgres.acrossTenants('row tags');
  for (const tenantId of await tenantsToTag(db)) {
    await db.transaction(async (lock) => {
      if (await takeRotationLock(lock)) await tagTenant(tagging, tenantId);
    });
  }
}

async function tagTenant(tagging: Tagging, tenantId: string): Promise<void> {
  const { keyring, provider, logger } = tagging;
  const postgres = tagging.postgres.forTenant(tenantId);
  const dependencies = { postgres, keyring };
  const current = await createDekStore(tagging.postgres).current(tenantId, 'data');
  if (current === undefined) return;
  const version =
    current.rowFormat === 2 && (await keyring.maySeal(tenantId, current.version))
      ? current.version
      : await keyring.rotate(tenantId, 2);
  const tokens = await tagTokens(dependencies, { tenantId, version });
  const clientKeys = await resealClientKeys(dependencies, { tenantId, version });
  const tagged = tokens.resealed + clientKeys.resealed;
  if (tagged > 0) logger.info({ tenant_id: tenantId, tagged }, 'rows were sealed in format 2');
  // Until then a vault may still write under the previous key.
  if (tagged > 0 || (await ageOfKey(postgres, tenantId, version)) < settleMs) return;
  for (const key of await keysWithoutTags(postgres, tenantId)) {
    await requireTags(postgres, key, await rewrapDek(provider, key, 2));
  }
  const unreadable = tokens.unreadable + clientKeys.unreadable;
  logger.info({ tenant_id: tenantId, unreadable }, 'rows of format 1 are refused from now on');
}
