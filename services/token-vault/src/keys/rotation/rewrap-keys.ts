import type { Transacting } from '@glovebox/platform/db/postgres';

import { rewrapAuditKey } from '../../crypto/audit-key.ts';
import { rewrapSigningKey } from '../../crypto/audit-signing-key.ts';
import type { StoredDek } from '../../crypto/dek-store.ts';
import type { KeyProvider } from '../../crypto/key-provider.ts';
import { rewrapDek } from '../../crypto/tenant-keys.ts';
import { readAuditKey, replaceAuditKey } from '../../store/audit-keys.ts';
import { readSigningKeys, replaceSigningKey } from '../../store/audit-signing-keys.ts';

const batchSize = 100;

/**
 * Wraps stored keys under the current key-encryption key. Each key is changed by a statement of its own, so that an
 * interrupted run can continue.
 * @returns how many keys were rewrapped
 */
export async function rewrapKeys(
  { postgres, provider }: { readonly postgres: Transacting; readonly provider: KeyProvider },
  onProgress: (rewrapped: number) => void,
): Promise<number> {
  let rewrapped = (await rewrapSealsKey(postgres, provider)) + (await rewrapSigningKeys(postgres, provider));
  for (;;) {
    const deks = await postgres.query<StoredDek>(
      'keys-to-rewrap',
      `SELECT tenant_id AS "tenantId", kind, version, key_id AS "keyId", wrapped, row_format AS "rowFormat"
         FROM tenant_key WHERE key_id <> $1 ORDER BY tenant_id, kind, version LIMIT $2`,
      [provider.currentKeyId, batchSize],
    );
    for (const dek of deks) {
      const { keyId, wrapped } = await rewrapDek(provider, dek);
      await postgres.query(
        'key-rewrap',
        `UPDATE tenant_key SET key_id = $5, wrapped = $6
          WHERE tenant_id = $1 AND kind = $2 AND version = $3 AND key_id = $4 AND row_format = $7`,
        [dek.tenantId, dek.kind, dek.version, dek.keyId, keyId, wrapped, dek.rowFormat],
      );
      rewrapped += 1;
    }
    if (deks.length === 0) return rewrapped;
    onProgress(rewrapped);
  }
}

async function rewrapSealsKey(postgres: Transacting, provider: KeyProvider): Promise<number> {
  const key = await readAuditKey(postgres);
  if (key === undefined || key.keyId === provider.currentKeyId) return 0;
  await replaceAuditKey(postgres, await rewrapAuditKey(provider, key));
  return 1;
}

async function rewrapSigningKeys(postgres: Transacting, provider: KeyProvider): Promise<number> {
  const keys = await readSigningKeys(postgres);
  const old = keys.filter(({ keyId }) => keyId !== provider.currentKeyId);
  for (const key of old) await replaceSigningKey(postgres, await rewrapSigningKey(provider, key));
  return old.length;
}
