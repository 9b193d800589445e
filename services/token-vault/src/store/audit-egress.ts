import type { Queryable } from '@glovebox/platform/db/postgres';

/** The purpose of entries about requests that did not fit an egress policy. */
export const egressPurpose = 'egress';
/** Stored for a subject without an id: an ephemeral proxy, or several subjects. */
const noSubject = '-';
const operationPrefix = 'egress_';

/** As they are stored; an event shows all of them as `egress`. */
export const egressOperations: readonly string[] = ['proxy', 'reactor', 'webhook'].map(
  (subject) => operationPrefix + subject,
);

/** Who made such a request, and where it was to go. */
export interface EgressParty {
  /** proxy, reactor or webhook. */
  readonly subjectType: string;
  /** Empty: it has none. */
  readonly subjectId: string;
  /** `host:port` */
  readonly destination: string;
}

export interface EgressEntry extends EgressParty {
  readonly tenantId: string;
  readonly applicationId: string | null;
  readonly outcome: 'allowed' | 'denied';
  readonly reason: string;
  readonly correlationId: string | null;
  /** The number of requests that it covers, at least 1. */
  readonly count: number;
}

/** Writes an entry. There are few of them: the services that report count repeated ones together. */
export async function insertEgress(tx: Queryable, entry: EgressEntry): Promise<void> {
  await tx.query(
    'audit-insert-egress',
    `INSERT INTO audit (tenant_id, application_id, operation, outcome, reason, purpose, purpose_id, correlation_id,
                        destination, count)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      entry.tenantId,
      entry.applicationId,
      operationPrefix + entry.subjectType,
      entry.outcome,
      entry.reason,
      egressPurpose,
      `${entry.subjectId === '' ? noSubject : entry.subjectId} ${entry.destination}`,
      entry.correlationId,
      entry.destination,
      entry.count === 1 ? null : entry.count,
    ],
  );
}

/** Reads them from the operation of an entry and the id that goes with its purpose. */
export function egressParty(operation: string, purposeId: string | null): EgressParty {
  const [subjectId = noSubject, ...destination] = (purposeId ?? noSubject).split(' ');
  return {
    subjectType: operation.slice(operationPrefix.length),
    subjectId: subjectId === noSubject ? '' : subjectId,
    destination: destination.join(' '),
  };
}

/** The condition of SQL for the entries of one subject. @param id the parameter */
export const isOfSubject = (id: string): string =>
  `purpose = '${egressPurpose}' AND split_part(purpose_id, ' ', 1) = ${id}`;
