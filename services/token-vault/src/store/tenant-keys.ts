import type { TenantDatabase } from '@glovebox/platform/db/postgres';

import type { DekStore, StoredDek } from '../crypto/dek-store.ts';
import { KeysDestroyed } from '../crypto/keys-destroyed.ts';
import { findErasure } from './erasures.ts';
import { readIndexVersions } from './index-rotations.ts';
import { ageOfKey } from './row-formats.ts';

/** Refuses erased tenants with `KeysDestroyed`. */
export function createDekStore(postgres: TenantDatabase): DekStore {
  const refuseErased = async (tenantId: string) => {
    if ((await findErasure(postgres.forTenant(tenantId), tenantId)) !== undefined) throw new KeysDestroyed();
  };
  return {
    async get(tenantId, kind, version) {
      const rows = await postgres.forTenant(tenantId).query<StoredDek>(
        'tenant-key-get',
        `SELECT tenant_id AS "tenantId", kind, version, key_id AS "keyId", wrapped, row_format AS "rowFormat"
           FROM tenant_key WHERE tenant_id = $1 AND kind = $2 AND version = $3`,
        [tenantId, kind, version],
      );
      if (rows.length === 0) await refuseErased(tenantId);
      return rows[0];
    },
    async current(tenantId, kind) {
      const rows = await postgres.forTenant(tenantId).query<StoredDek>(
        'tenant-key-current',
        `SELECT tenant_id AS "tenantId", kind, version, key_id AS "keyId", wrapped, row_format AS "rowFormat"
           FROM tenant_key WHERE tenant_id = $1 AND kind = $2 ORDER BY version DESC LIMIT 1`,
        [tenantId, kind],
      );
      return rows[0];
    },
    indexVersions: (tenantId) => readIndexVersions(postgres.forTenant(tenantId), tenantId),
    ageOfIndexKey: (tenantId, version) => ageOfKey(postgres.forTenant(tenantId), tenantId, version, 'index'),
    async insertIfAbsent({ tenantId, kind, version, keyId, wrapped, rowFormat }) {
      const rows = await postgres.forTenant(tenantId).query(
        'tenant-key-insert',
        `INSERT INTO tenant_key (tenant_id, kind, version, key_id, wrapped, row_format, seals)
         VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $2 = 'data' THEN 0 END) ON CONFLICT DO NOTHING RETURNING version`,
        [tenantId, kind, version, keyId, wrapped, rowFormat],
      );
      if (rows.length === 0) await refuseErased(tenantId);
    },
    async reserveSeals(tenantId, version, seals, most) {
      const rows = await postgres.forTenant(tenantId).query<{ seals: string }>(
        'tenant-key-reserve-seals',
        `UPDATE tenant_key SET seals = seals + $3
          WHERE tenant_id = $1 AND kind = 'data' AND version = $2 AND seals + $3 <= $4 RETURNING seals`,
        [tenantId, version, seals, most],
      );
      return rows[0] && Number(rows[0].seals);
    },
    async startsWithTags() {
      const rows = await postgres.acrossTenants('row tags').query<{ starts: boolean }>(
        'tenant-key-format',
        `SELECT NOT EXISTS (SELECT 1 FROM tenant_key WHERE kind = 'data')
                OR EXISTS (SELECT 1 FROM tenant_key WHERE row_format = 2) AS starts`,
      );
      return rows[0]?.starts === true;
    },
  };
}
