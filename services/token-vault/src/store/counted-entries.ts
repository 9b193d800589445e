import type { Queryable } from '@glovebox/platform/db/postgres';

/** Stored for a subject without an id: an ephemeral proxy, or several subjects. */
export const noSubject = '-';

/** An audit entry about a proxy, reactor or webhook that covers several equal events. */
export interface CountedEntry {
  readonly tenantId: string;
  /** proxy, reactor or webhook. */
  readonly subjectType: string;
  /** Empty: it has none. */
  readonly subjectId: string;
  readonly applicationId: string | null;
  readonly outcome: 'allowed' | 'denied';
  readonly reason: string;
  readonly correlationId: string | null;
  /** `host:port` */
  readonly destination: string | null;
  /** The number of events that it covers, at least 1. */
  readonly count: number;
}

/** Writes an entry. There are few of them: the services that report count repeated ones together. */
export async function insertCountedEntry(
  db: Queryable,
  purpose: 'egress' | 'leak',
  purposeId: string,
  entry: CountedEntry,
): Promise<void> {
  await db.query(
    'audit-insert-counted',
    `INSERT INTO audit (tenant_id, application_id, operation, outcome, reason, purpose, purpose_id, correlation_id,
                        destination, count)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      entry.tenantId,
      entry.applicationId,
      `${purpose}_${entry.subjectType}`,
      entry.outcome,
      entry.reason,
      purpose,
      purposeId,
      entry.correlationId,
      entry.destination,
      entry.count === 1 ? null : entry.count,
    ],
  );
}
