import type { Queryable } from '@glovebox/platform/db/postgres';
import { type RecordName, applicationIdRecord, applicationRecord } from '@glovebox/published/keys';
import { publishedRule } from '@glovebox/published/published-rule';

import { type WebhookEvent, auditFields } from '../events/emit.ts';
import { publishedFieldsOf } from '../fields/column.ts';
import { columnsOf } from '../fields/table.ts';
import {
  type NamedRecord,
  type RecordPages,
  namedRecord,
  publishInPages,
  tombstone,
} from '../publication/record.ts';
import { type ApplicationRow, applicationFields } from './fields.ts';
import type { StoredKey } from './key.ts';

const applicationPart = publishedFieldsOf(applicationFields);

/** The published records of an application: one under its id, one under each of its keys. */
export function publishedApplication(row: ApplicationRow, keyHashes: readonly string[]): NamedRecord[] {
  const record = {
    $case: 'application' as const,
    value: {
      ...applicationPart(row),
      permissions: [...row.permissions],
      rules: row.rules.map(publishedRule),
      session: undefined,
      expiresAt: row.expires_at?.getTime(),
      limits:
        row.limits === null
          ? undefined
          : {
              usesPerHour: row.limits.uses_per_hour ?? 0,
              distinctTokensPerHour: row.limits.distinct_tokens_per_hour ?? 0,
            },
      madeBy: row.type === 'expiring' ? row.created_by : undefined,
    },
  };
  return namesOf(row.id, keyHashes).map((name) => namedRecord(name, Number(row.version), record));
}

/** Tombstones of a deleted application. */
export function applicationTombstones(
  id: string,
  keyHashes: readonly string[],
  version: string,
): NamedRecord[] {
  return namesOf(id, keyHashes).map((name) => tombstone(name, Number(version)));
}

/** Tombstone of a deleted key. @param version of its application */
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
      snapshot.query<ApplicationRow & { readonly key_hashes: string[] }>(
        'page-of-all-applications',
        `SELECT ${columnsOf(applicationFields, 'a')},
                ARRAY(SELECT k.key_hash FROM application_keys k WHERE (k.tenant_id, k.application_id) = (a.tenant_id, a.id)) AS key_hashes
           FROM applications a WHERE a.id > $1 ORDER BY a.id LIMIT $2`,
        [after, limit],
      ),
    (row) => publishedApplication(row, row.key_hashes),
  );
}

/** Without its keys and rules. */
export function applicationEvent(
  change: 'created' | 'updated' | 'deleted',
  row: Omit<ApplicationRow, 'rules' | 'version'>,
): WebhookEvent {
  const { id, name, type, permissions, expires_at } = row;
  const data = { id, name, type, permissions, expires_at: expires_at?.toISOString(), ...auditFields(row) };
  return { type: `application.${change}`, data };
}

export function keyEvent(
  change: 'created' | 'deleted',
  { id, name }: Pick<ApplicationRow, 'id' | 'name'>,
  key: StoredKey,
): WebhookEvent {
  const data = { id: key.id, application: { id, name }, ...auditFields(key) };
  return { type: `application.key.${change}`, data };
}
