import type { Queryable } from '@glovebox/platform/db/postgres';

import type { IndexVersions } from '../crypto/dek-store.ts';
import type { StoredRow } from './token-row.ts';

/** A tenant whose fingerprints and search hashes are being made anew under this version of its index key. */
export interface IndexRotation {
  readonly tenantId: string;
  readonly version: number;
  /** Vaults write under the version before until all of them read both, then under this one. */
  readonly phase: 'announced' | 'writing';
  /** Since the phase began, in milliseconds. */
  readonly phaseAge: number;
  /** Up to this token all were made anew. */
  readonly afterId: string;
  readonly remade: number;
  /** Fingerprints that could not be made anew: what they were made of is gone. */
  readonly lost: number;
  readonly unreadable: number;
}

/** Those that are under way, of one tenant or of all. */
export function indexRotations(db: Queryable, tenantId?: string): Promise<IndexRotation[]> {
  return db.query<IndexRotation>(
    'index-rotations',
    `SELECT tenant_id AS "tenantId", version, phase, after_id AS "afterId", remade::float8 AS remade,
            lost::float8 AS lost, unreadable::float8 AS unreadable,
            extract(epoch FROM clock_timestamp() - phase_since)::float8 * 1000 AS "phaseAge"
       FROM index_rotation WHERE $1::uuid IS NULL OR tenant_id = $1 ORDER BY tenant_id`,
    [tenantId ?? null],
  );
}

/** Begins one for each tenant with an index key, or for one, unless it is under way. @returns for which */
export async function beginIndexRotations(db: Queryable, tenantId: string | undefined): Promise<string[]> {
  const rows = await db.query<{ tenantId: string }>(
    'index-rotations-begin',
    `INSERT INTO index_rotation (tenant_id, version)
     SELECT tenant_id, max(version) + 1 FROM tenant_key
      WHERE kind = 'index' AND ($1::uuid IS NULL OR tenant_id = $1) GROUP BY tenant_id
         ON CONFLICT (tenant_id) DO NOTHING RETURNING tenant_id AS "tenantId"`,
    [tenantId ?? null],
  );
  return rows.map((row) => row.tenantId);
}

/** Begins the phase in which vaults write under the new key. */
export async function beginWriting(db: Queryable, { tenantId }: IndexRotation): Promise<void> {
  await db.query(
    'index-rotation-write',
    `UPDATE index_rotation SET phase = 'writing', phase_since = now() WHERE tenant_id = $1`,
    [tenantId],
  );
}

export interface Remade {
  readonly remade: number;
  readonly lost: number;
  readonly unreadable: number;
}

/** Notes up to which token all were made anew. */
export async function noteRemade(
  db: Queryable,
  { tenantId }: IndexRotation,
  afterId: string,
  { remade, lost, unreadable }: Remade,
): Promise<void> {
  await db.query(
    'index-rotation-progress',
    `UPDATE index_rotation SET after_id = $2, remade = remade + $3, lost = lost + $4, unreadable = unreadable + $5
      WHERE tenant_id = $1`,
    [tenantId, afterId, remade, lost, unreadable],
  );
}

export async function endIndexRotation(db: Queryable, { tenantId }: IndexRotation): Promise<void> {
  await db.query('index-rotation-end', 'DELETE FROM index_rotation WHERE tenant_id = $1', [tenantId]);
}

/** The revision stays, because nothing changes that a decision depends on. */
export async function replaceIndexed(
  tx: Queryable,
  tenantId: string,
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const documents = rows.map(({ id, sealedData, tag, fingerprint, searchHashes }) => ({
    id,
    sealed_data: sealedData.toString('base64'),
    tag: tag?.toString('base64'),
    fingerprint,
    search_hashes: searchHashes.map((hash) => hash.toString('base64')),
  }));
  await tx.query(
    'index-replace',
    `UPDATE token SET sealed_data = decode(new.sealed_data, 'base64'), tag = decode(new.tag, 'base64'),
                      fingerprint = new.fingerprint,
                      search_hashes = ARRAY(SELECT decode(hash, 'base64')
                                              FROM unnest(new.search_hashes) WITH ORDINALITY AS h (hash, n) ORDER BY n)
       FROM json_to_recordset($2::json)
         AS new (id text, sealed_data text, tag text, fingerprint text, search_hashes text[])
      WHERE token.tenant_id = $1 AND token.id = new.id`,
    [tenantId, JSON.stringify(documents)],
  );
}

/** Which index keys a tenant uses now; undefined: it has none. */
export async function readIndexVersions(db: Queryable, tenantId: string): Promise<IndexVersions | undefined> {
  const rows = await db.query<IndexVersionRow>(
    'index-versions',
    `SELECT k.version, r.version AS rotating, r.phase
       FROM tenant_key k LEFT JOIN index_rotation r USING (tenant_id)
      WHERE tenant_id = $1 AND kind = 'index' ORDER BY k.version DESC`,
    [tenantId],
  );
  return indexVersionsOf(rows);
}

interface IndexVersionRow {
  readonly version: number;
  /** Null: none is being replaced. */
  readonly rotating: number | null;
  readonly phase: 'announced' | 'writing' | null;
}

/** @param rows the newest first */
function indexVersionsOf(rows: readonly IndexVersionRow[]): IndexVersions | undefined {
  const [newest] = rows;
  const first = rows.at(-1)?.version;
  if (newest === undefined || first === undefined) return undefined;
  const { rotating, phase } = newest;
  const settled = rows.find(({ version }) => version !== rotating)?.version ?? first;
  const isThere = rows.some(({ version }) => version === rotating);
  if (rotating === null || !isThere) return { writing: settled, others: [], first };
  return phase === 'writing'
    ? { writing: rotating, others: [settled], first }
    : { writing: settled, others: [rotating], first };
}
