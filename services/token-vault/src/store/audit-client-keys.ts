import type { Queryable } from '@glovebox/platform/db/postgres';

/** A client's key as the audit log knows it last, and whether it is there. */
export interface KnownClientKey {
  readonly tenantId: string;
  readonly keyId: string;
  /** The log has an entry by which it was deleted, or expired. */
  readonly ended: boolean;
  readonly exists: boolean;
}

/** The next keys whose creation or end is in the log, each compared with its row in one snapshot; none of erased tenants. */
export function readKnownClientKeys(
  db: Queryable,
  after: Pick<KnownClientKey, 'tenantId' | 'keyId'>,
  limit: number,
): Promise<KnownClientKey[]> {
  return db.query<KnownClientKey>(
    'audit-known-client-keys',
    `SELECT known.tenant_id AS "tenantId", purpose_id AS "keyId", ended, client_key.id IS NOT NULL AS exists
       FROM (SELECT tenant_id, purpose_id, bool_or(operation <> 'create_key') AS ended
               FROM audit
              WHERE purpose = 'key' AND operation IN ('create_key', 'delete_key', 'expire_key')
                AND outcome = 'allowed' AND (tenant_id, purpose_id) > ($1::uuid, $2::text)
                AND tenant_id NOT IN (SELECT tenant_id FROM tenant_erasure)
              GROUP BY tenant_id, purpose_id ORDER BY tenant_id, purpose_id LIMIT $3) AS known
       LEFT JOIN client_key ON client_key.tenant_id = known.tenant_id AND client_key.id::text = known.purpose_id
      ORDER BY known.tenant_id, purpose_id`,
    [after.tenantId, after.keyId, limit],
  );
}
