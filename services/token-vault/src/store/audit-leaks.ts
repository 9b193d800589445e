import type { Queryable } from '@glovebox/platform/db/postgres';

/** The purpose of entries about answers that held a value which was filled into the request. */
export const leakPurpose = 'leak';
/** Stored for a subject without an id: an ephemeral proxy, or several subjects. */
const noSubject = '-';
const operationPrefix = 'leak_';

/** Whose answers leak. */
export const leakSubjects: readonly string[] = ['proxy', 'reactor'];
/** As they are stored; an event shows all of them as `leak`. */
export const leakOperations = leakSubjects.map((subject) => operationPrefix + subject);

/** Whose answer it was. */
export interface LeakSubject {
  readonly subjectType: string;
  /** Empty: it has none. */
  readonly subjectId: string;
}

export interface LeakEntry extends LeakSubject {
  readonly tenantId: string;
  readonly applicationId: string | null;
  readonly outcome: 'allowed' | 'denied';
  /** What the leak guard did. */
  readonly reason: string;
  readonly correlationId: string | null;
  /** `host:port` */
  readonly destination: string | null;
  /** The number of answers that it covers, at least 1. */
  readonly count: number;
}

/** Writes an entry. There are few of them: the services that report count repeated ones together. */
export async function insertLeak(db: Queryable, entry: LeakEntry): Promise<void> {
  await db.query(
    'audit-insert-leak',
    `INSERT INTO audit (tenant_id, application_id, operation, outcome, reason, purpose, purpose_id, correlation_id,
                        destination, count)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      entry.tenantId,
      entry.applicationId,
      operationPrefix + entry.subjectType,
      entry.outcome,
      entry.reason,
      leakPurpose,
      entry.subjectId === '' ? noSubject : entry.subjectId,
      entry.correlationId,
      entry.destination,
      entry.count === 1 ? null : entry.count,
    ],
  );
}

/** Reads it from the operation of an entry and the id that goes with its purpose. */
export function leakSubject(operation: string, purposeId: string | null): LeakSubject {
  return {
    subjectType: operation.slice(operationPrefix.length),
    subjectId: purposeId === null || purposeId === noSubject ? '' : purposeId,
  };
}
