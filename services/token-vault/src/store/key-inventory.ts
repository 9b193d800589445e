import type { Queryable } from '@glovebox/platform/db/postgres';

export interface KeyUse {
  /** How many stored keys are wrapped under each key-encryption key. */
  readonly wrapped: ReadonlyMap<string, number>;
  readonly dataKeys: readonly object[];
  readonly indexKeys: readonly object[];
  /** Absent: nothing is sealed yet. */
  readonly auditKey: object | undefined;
}

export interface KeyOfTenant {
  readonly kind: string;
  readonly version: number;
  readonly createdAt: Date;
  /** Null: an index key, or made before seals were counted. */
  readonly seals: string | null;
}

/** The keys of one tenant, the newest first. */
export function keysOfTenant(db: Queryable, tenantId: string): Promise<KeyOfTenant[]> {
  return db.query<KeyOfTenant>(
    'keys-of-tenant',
    `SELECT kind, version, created_at AS "createdAt", seals FROM tenant_key WHERE tenant_id = $1
      ORDER BY kind, version DESC`,
    [tenantId],
  );
}

interface Row {
  readonly tenant_id: string;
  readonly kind: string;
  readonly version: number;
  readonly key_encryption_key: string;
  readonly created_at: Date;
  readonly age_days: number;
  readonly current: boolean;
  readonly seals: string | null;
  readonly tokens: string;
  readonly client_keys: string;
}

/** Which keys are stored, and what each is used for. Reads every token. */
export async function readKeyUse(db: Queryable): Promise<KeyUse> {
  const rows = await db.queryOnce<Row>(
    'key-inventory',
    `WITH sealed AS (
       SELECT tenant_id, envelope_key_version(sealed_data) AS version, count(*) AS tokens FROM token GROUP BY 1, 2),
     client AS (
       SELECT tenant_id, envelope_key_version(sealed_private_key) AS version, count(*) AS client_keys
         FROM client_key GROUP BY 1, 2)
     SELECT tenant_id, kind, k.version, key_id AS key_encryption_key, created_at,
            floor(extract(epoch FROM now() - created_at) / 86400)::integer AS age_days,
            seals, k.version = max(k.version) OVER (PARTITION BY tenant_id, kind) AS current,
            CASE WHEN kind = 'data' THEN coalesce(tokens, 0) ELSE 0 END AS tokens,
            CASE WHEN kind = 'data' THEN coalesce(client_keys, 0) ELSE 0 END AS client_keys
       FROM tenant_key k LEFT JOIN sealed USING (tenant_id, version) LEFT JOIN client USING (tenant_id, version)
      ORDER BY tenant_id, kind, k.version`,
  );
  const wrapped = new Map<string, number>();
  for (const { key_encryption_key: id } of rows) wrapped.set(id, (wrapped.get(id) ?? 0) + 1);
  const [auditKey] = await db.query<{ key_encryption_key: string; created_at: Date }>(
    'audit-key-inventory',
    'SELECT key_id AS key_encryption_key, created_at FROM audit_key',
  );
  if (auditKey !== undefined) {
    const { key_encryption_key: id } = auditKey;
    wrapped.set(id, (wrapped.get(id) ?? 0) + 1);
  }
  const signing = await db.query<{ key_encryption_key: string; count: string }>(
    'audit-signing-key-inventory',
    'SELECT key_id AS key_encryption_key, count(*) AS count FROM audit_signing_key GROUP BY 1',
  );
  for (const { key_encryption_key: id, count } of signing) {
    wrapped.set(id, (wrapped.get(id) ?? 0) + Number(count));
  }
  const show = ({ kind, tokens, client_keys: clientKeys, seals, ...key }: Row) =>
    kind === 'data'
      ? {
          ...key,
          seals: seals === null ? null : Number(seals),
          tokens: Number(tokens),
          client_keys: Number(clientKeys),
        }
      : key;
  return {
    wrapped,
    dataKeys: rows.filter(({ kind }) => kind === 'data').map(show),
    indexKeys: rows.filter(({ kind }) => kind === 'index').map(show),
    auditKey,
  };
}
