import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

/** One decision on a token, or on a call without one. */
export interface AuditEntry {
  readonly tenantId: string;
  /** Null: a call of another service, or the vault's own work. */
  readonly applicationId: string | null;
  readonly operation:
    | 'use'
    | 'create'
    | 'read'
    | 'update'
    | 'delete'
    | 'search'
    | 'associate'
    | 'dissociate'
    | 'create_session'
    | 'authorize_session'
    | 'create_key'
    | 'read_key'
    | 'delete_key'
    | 'seal_vault'
    | 'unseal_vault';
  /** Only ids of existing tokens: any other text could be sensitive, e.g. a card number. */
  readonly tokenId: string | null;
  readonly outcome: 'allowed' | 'denied';
  readonly reason: string | null;
  readonly view: string | null;
  readonly purpose: string | null;
  readonly purposeId: string | null;
  readonly correlationId: string | null;
  /** The revision that was created, updated or deleted. */
  readonly revision: string | null;
  /** The priority of the access rule that decided. */
  readonly rule: number | null;
  /** Where the value was to be sent, as `host:port`. */
  readonly destination: string | null;
  /** Where the request came from, as the edge saw it. */
  readonly clientAddress: string | null;
  /** The revision of the cached row that was decided on; null when the row came from the database. */
  readonly cachedRevision: string | null;
}

/** How many refusals of one application are recorded per minute. Refusals beyond that are not recorded. */
export const recordedRefusals = 1000;

/**
 * Writes all entries, or none if a cached row has changed since. Refusals are bounded by `recordedRefusals`.
 * @returns the positions of the entries whose cached row is out of date
 * @throws AppError `unavailable`: what cannot be recorded must not happen
 */
export async function recordDecisions(
  db: Queryable,
  entries: readonly AuditEntry[],
): Promise<readonly number[]> {
  const rows = await orFailUnrecorded(() =>
    entries.some(({ outcome }) => outcome === 'denied')
      ? db.query<Outdated>(
          'audit-insert-refusals',
          boundedStatement,
          [...columnsOf(entries), recordedRefusals],
          'generic',
        )
      : db.query<Outdated>('audit-insert', statement, columnsOf(entries), 'generic'),
  );
  return rows.map(({ position }) => Number(position) - 1);
}

/** Runs a statement that records, and refuses if recording fails. */
export async function orFailUnrecorded<T>(statement: () => Promise<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    throw new AppError('unavailable', 'The decision could not be recorded, so the request was refused.', {
      cause: error,
    });
  }
}

const statement = insertion('');

/** Counts the recorded refusals of the last minute, up to the bound. */
const boundedStatement = insertion(
  `AND (outcome = 'allowed' OR NOT EXISTS (
         SELECT 1 FROM crowded WHERE (crowded.tenant_id, crowded.application_id) = (entry.tenant_id, entry.application_id)))`,
  `crowded AS MATERIALIZED (
    SELECT refused.tenant_id, refused.application_id
      FROM (SELECT DISTINCT tenant_id, application_id FROM entry WHERE outcome = 'denied') AS refused
     WHERE $17 <= (SELECT count(*)
                     FROM (SELECT 1 FROM audit
                            WHERE audit.tenant_id = refused.tenant_id AND audit.application_id = refused.application_id
                              AND audit.outcome = 'denied' AND audit.at > now() - interval '1 minute'
                            LIMIT $17) AS recent)),`,
);

interface Outdated {
  readonly position: string;
}

/**
 * Entries that differ only in token, correlation id, client and cached row share a group: most rows of a frame do.
 * The scalar subquery is deliberate: a join could be planned as a scan of all tokens, while this is one probe of
 * the primary key per cached row.
 */
function insertion(condition: string, more = ''): string {
  return `
  WITH entry AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                         $8::text[], $9::integer[], $10::text[]) WITH ORDINALITY
      AS g (tenant_id, application_id, operation, outcome, reason, view, purpose, purpose_id, rule, destination,
            group_number)
      JOIN unnest($11::integer[], $12::text[], $13::text[], $14::text[], $15::bigint[],
                  $16::bigint[]) WITH ORDINALITY
      AS r (group_number, token_id, correlation_id, client_address, cached_revision, revision, position)
     USING (group_number)),
  outdated AS MATERIALIZED (
    SELECT position FROM entry
     WHERE cached_revision IS NOT NULL
       AND cached_revision IS DISTINCT FROM (
             SELECT revision FROM token WHERE token.tenant_id = entry.tenant_id AND token.id = entry.token_id)),
  ${more}
  written AS (
    INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, reason, view, purpose, purpose_id,
                       rule, destination, correlation_id, client_address, revision)
    SELECT tenant_id, application_id, operation, token_id, outcome, reason, view, purpose, purpose_id,
           rule, destination, correlation_id, client_address, revision
      FROM entry WHERE NOT EXISTS (SELECT 1 FROM outdated) ${condition}
     ORDER BY position)
  SELECT position FROM outdated`;
}

const shared = [
  'tenantId',
  'applicationId',
  'operation',
  'outcome',
  'reason',
  'view',
  'purpose',
  'purposeId',
  'rule',
  'destination',
] as const satisfies readonly (keyof AuditEntry)[];

function columnsOf(entries: readonly AuditEntry[]): unknown[] {
  const groups: AuditEntry[] = [];
  const groupNumbers: number[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last === undefined || shared.some((name) => last[name] !== entry[name])) groups.push(entry);
    groupNumbers.push(groups.length);
  }
  return [
    ...shared.map((name) => groups.map((entry) => entry[name])),
    groupNumbers,
    entries.map(({ tokenId }) => tokenId),
    entries.map(({ correlationId }) => correlationId),
    entries.map(({ clientAddress }) => clientAddress),
    entries.map(({ cachedRevision }) => cachedRevision),
    entries.map(({ revision }) => revision),
  ];
}
