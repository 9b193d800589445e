import type { Queryable } from '@glovebox/platform/db/postgres';

import type { Fields } from '../fields/column.ts';
import { versionedFields } from './definition.ts';

/** How many versions of a resource are kept (contract/versions.md#what-is-kept). */
export const keptVersions = 100;

export interface VersionRow {
  /** Digits. */
  readonly version: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly comment: string | null;
  /** Names in the configuration whose values differ from the version before; null: all of them. */
  readonly changed_settings: readonly string[] | null;
  readonly definition: Readonly<Record<string, unknown>>;
}

export interface VersionSource {
  /** The table of the versions. */
  readonly table: string;
  /** Where the present state comes from; the resource is `r` there. */
  readonly from: string;
  readonly fields: Fields;
  /** The number of the present version. */
  readonly version: string;
  /** More parts of a definition, as SQL. */
  readonly more?: Readonly<Record<string, string>>;
  /** What the resource must be. */
  readonly only?: string;
}

export interface VersionTable {
  /** Keeps the present state as its version, unless that is kept already, and removes what is beyond the limit. */
  keep(
    tx: Queryable,
    id: string,
    version?: { readonly comment: string | undefined; readonly changed?: readonly string[] },
  ): Promise<void>;
  /** The newest first, the present one too if it is not kept. @param before only those; undefined: all */
  list(
    db: Queryable,
    tenantId: string,
    id: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<VersionRow[]>;
  /** Undefined also where there is no such resource. */
  find(db: Queryable, tenantId: string, id: string, version: number): Promise<VersionRow | undefined>;
}

const columns = 'version, created_by, created_at, comment, changed_settings, definition';

/** The statements over the versions of one kind of resources. */
export function versionTable(source: VersionSource): VersionTable {
  const { table } = source;
  const present = selectPresent(source);
  const known = `WITH present AS (${present} AND r.tenant_id = $2),
    kept AS (SELECT ${columns} FROM ${table} WHERE resource_id = (SELECT resource_id FROM present)),
    known AS (SELECT * FROM kept
              UNION ALL
              SELECT ${columns} FROM present WHERE NOT EXISTS (SELECT 1 FROM kept WHERE kept.version = present.version))`;
  return {
    async keep(tx, id, { comment, changed } = { comment: undefined }) {
      await tx.query(
        `keep-${table}`,
        `INSERT INTO ${table} (resource_id, version, created_by, created_at, comment, changed_settings, definition)
         SELECT resource_id, version, created_by, created_at, $2, $3, definition FROM (${present}) AS present
             ON CONFLICT DO NOTHING`,
        [id, comment ?? null, changed ?? null],
      );
      await tx.query(
        `forget-${table}`,
        `DELETE FROM ${table} WHERE resource_id = $1 AND version < (
           SELECT version FROM ${table} WHERE resource_id = $1 ORDER BY version DESC OFFSET $2 LIMIT 1)`,
        [id, keptVersions - 1],
      );
    },
    list: (db, tenantId, id, { before, limit }) =>
      db.query<VersionRow>(
        `list-${table}`,
        `${known} SELECT ${columns} FROM known WHERE $3::bigint IS NULL OR version < $3
          ORDER BY version DESC LIMIT $4`,
        [id, tenantId, before ?? null, limit],
      ),
    async find(db, tenantId, id, version) {
      const rows = await db.query<VersionRow>(
        `find-${table}`,
        `${known} SELECT ${columns} FROM known WHERE version = $3`,
        [id, tenantId, version],
      );
      return rows[0];
    },
  };
}

/** The present state as a version, by the resource's id in $1. */
function selectPresent({ from, fields, version, more = {}, only = 'true' }: VersionSource): string {
  const own = Object.keys(versionedFields(fields)).map((name) => [name, `r.${name}`]);
  const parts = [...own, ...Object.entries(more)].map(([name, value]) => `'${name}', ${value}`);
  return `SELECT r.id AS resource_id, ${version} AS version, coalesce(r.modified_by, r.created_by) AS created_by,
      coalesce(r.modified_at, r.created_at) AS created_at, NULL::text AS comment,
      NULL::text[] AS changed_settings, jsonb_build_object(${parts.join(', ')}) AS definition
    FROM ${from} WHERE r.id = $1 AND ${only}`;
}
