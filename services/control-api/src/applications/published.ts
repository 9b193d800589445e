import type { Queryable } from '@glovebox/platform/db/postgres';
import { type RecordName, applicationIdRecord, applicationRecord } from '@glovebox/published/keys';

import { publishInPages } from '../publication/record-pages.ts';
import { type NamedRecord, type RecordPages, namedRecord, tombstone } from '../publication/record.ts';
import type { ApplicationRow } from './application.ts';

type PublishedColumns = Pick<
  ApplicationRow,
  'id' | 'tenant_id' | 'name' | 'type' | 'permissions' | 'rules' | 'expires_at' | 'version'
>;

/** What the data plane is told of an application, under its id and each of its keys. */
export function publishedApplication(row: PublishedColumns, keyHashes: readonly string[]): NamedRecord[] {
  const record = {
    $case: 'application' as const,
    value: {
      id: row.id,
      tenantId: row.tenant_id,
      type: row.type,
      permissions: [...row.permissions],
      rules: row.rules.map((rule) => ({
        priority: rule.priority,
        container: rule.container ?? '',
        conditions: (rule.conditions ?? []).map(({ attribute, operator, value }) => ({
          attribute,
          operator,
          value,
        })),
        transform: rule.transform,
        permissions: [...rule.permissions],
      })),
      session: undefined,
      name: row.name,
      expiresAt: row.expires_at?.getTime(),
    },
  };
  return namesOf(row.id, keyHashes).map((name) => namedRecord(name, Number(row.version), record));
}

/** Says that an application is no more, as of a version of it. */
export function applicationTombstones(
  id: string,
  keyHashes: readonly string[],
  version: string,
): NamedRecord[] {
  return namesOf(id, keyHashes).map((name) => tombstone(name, Number(version)));
}

/** Says that a key is no more, as of a version of its application. */
export function keyTombstone(keyHash: string, version: string): NamedRecord {
  return tombstone(applicationRecord(keyHash), Number(version));
}

function namesOf(id: string, keyHashes: readonly string[]): RecordName[] {
  return [applicationIdRecord(id), ...keyHashes.map(applicationRecord)];
}

/** All applications under their ids and all their keys, for a rebuild. */
export function allPublishedApplications(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<PublishedColumns & { readonly key_hashes: string[] }>(
        'page-of-all-applications',
        `SELECT a.id, a.tenant_id, a.name, a.type, a.permissions, a.rules, a.expires_at, a.version,
                ARRAY(SELECT k.key_hash FROM application_keys k WHERE k.application_id = a.id) AS key_hashes
           FROM applications a WHERE a.id > $1 ORDER BY a.id LIMIT $2`,
        [after, limit],
      ),
    (row) => publishedApplication(row, row.key_hashes),
  );
}
