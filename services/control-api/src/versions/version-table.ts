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
  /** Nothing was changed to it. */
  readonly draft: boolean;
}

/** What a draft is stored with; it is created now. */
export interface NewDraft {
  readonly createdBy: string;
  readonly comment: string | undefined;
  /** Names in the configuration whose values differ from the present ones. */
  readonly changed?: readonly string[];
  readonly definition: VersionRow['definition'];
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
  /** The table of the rollouts: versions that they name are kept. */
  readonly rollouts?: string;
  /** What the resource must be. */
  readonly only?: string;
}

export interface VersionTable {
  /** The number of the next version of a locked resource, beyond its drafts. @param present that of the present one */
  next(tx: Queryable, id: string, present: string): Promise<string>;
  /** Keeps a definition that the resource does not get, under the next number. @returns the number */
  draft(tx: Queryable, id: string, present: string, draft: NewDraft): Promise<string>;
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

const columns = 'version, created_by, created_at, comment, changed_settings, definition, draft';

/** The statements over the versions of one kind of resources. */
export function versionTable(source: VersionSource): VersionTable {
  return { ...writes(source), ...reads(source) };
}

function writes(source: VersionSource): Pick<VersionTable, 'next' | 'draft' | 'keep'> {
  const { table, rollouts } = source;
  const inRollout =
    rollouts === undefined
      ? ''
      : `AND version NOT IN (SELECT version FROM ${rollouts} WHERE resource_id = $1 AND state <> 'deleted')`;
  const keeping = keepPresent(source);
  const forget = (tx: Queryable, id: string, present: string) =>
    tx.query(
      `forget-${table}`,
      `DELETE FROM ${table} WHERE resource_id = $1 AND version <> $3 AND version < (
         SELECT version FROM ${table} WHERE resource_id = $1 ORDER BY version DESC OFFSET $2 LIMIT 1) ${inRollout}`,
      [id, keptVersions - 1, present],
    );
  const next = async (tx: Queryable, id: string, present: string) => {
    const rows = await tx.query<{ next: string }>(
      `next-of-${table}`,
      `SELECT greatest(max(version), $2::bigint) + 1 AS next FROM ${table} WHERE resource_id = $1`,
      [id, present],
    );
    return rows[0]!.next;
  };
  return {
    next,
    async draft(tx, id, present, { createdBy, comment, changed, definition }) {
      const version = await next(tx, id, present);
      await tx.query(
        `draft-of-${table}`,
        `INSERT INTO ${table} (tenant_id, resource_id, version, created_by, created_at, comment, changed_settings,
                               definition, draft)
         SELECT r.tenant_id, r.id, $2, $3, now(), $4, $5, $6, true FROM ${source.from} WHERE r.id = $1`,
        [id, version, createdBy, comment ?? null, changed ?? null, JSON.stringify(definition)],
      );
      await forget(tx, id, present);
      return version;
    },
    async keep(tx, id, { comment, changed } = { comment: undefined }) {
      const values = [id, comment ?? null, changed ?? null];
      const kept = await tx.query<{ version: string }>(`keep-${table}`, keeping, values);
      await forget(tx, id, kept[0]!.version);
    },
  };
}

function reads(source: VersionSource): Pick<VersionTable, 'list' | 'find'> {
  const { table } = source;
  const known = `WITH present AS (${selectPresent(source)} AND r.tenant_id = $2),
    kept AS (SELECT ${columns} FROM ${table} WHERE resource_id = (SELECT resource_id FROM present)
                AND NOT (draft AND version = (SELECT version FROM present))),
    known AS (SELECT * FROM kept
              UNION ALL
              SELECT ${columns} FROM present WHERE NOT EXISTS (SELECT 1 FROM kept WHERE kept.version = present.version))`;
  return {
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

/** The comment in $2 and the changed settings in $3. A draft whose number an earlier release has given away is replaced. */
function keepPresent(source: VersionSource): string {
  const { table } = source;
  const all = 'created_by, created_at, comment, changed_settings, definition, draft';
  return `WITH present AS (${selectPresent(source)}), inserted AS (
      INSERT INTO ${table} (tenant_id, resource_id, version, ${all})
      SELECT tenant_id, resource_id, version, created_by, created_at, $2, $3, definition, false FROM present
          ON CONFLICT (tenant_id, resource_id, version) DO UPDATE SET (${all}) = (
             excluded.created_by, excluded.created_at, excluded.comment, excluded.changed_settings,
             excluded.definition, false)
       WHERE ${table}.draft)
    SELECT version FROM present`;
}

/** The present state as a version, by the resource's id in $1. */
function selectPresent({ from, fields, version, more = {}, only = 'true' }: VersionSource): string {
  const own = Object.keys(versionedFields(fields)).map((name) => [name, `r.${name}`]);
  const parts = [...own, ...Object.entries(more)].map(([name, value]) => `'${name}', ${value}`);
  return `SELECT r.tenant_id, r.id AS resource_id, ${version} AS version, coalesce(r.modified_by, r.created_by) AS created_by,
      coalesce(r.modified_at, r.created_at) AS created_at, NULL::text AS comment,
      NULL::text[] AS changed_settings, jsonb_build_object(${parts.join(', ')}) AS definition, false AS draft
    FROM ${from} WHERE r.id = $1 AND ${only}`;
}
