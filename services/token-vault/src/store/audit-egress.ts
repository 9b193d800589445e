import type { Queryable } from '@glovebox/platform/db/postgres';

import { type CountedEntry, insertCountedEntry, noSubject } from './counted-entries.ts';

/** The purpose of entries about requests that did not fit an egress policy. */
export const egressPurpose = 'egress';
const operationPrefix = `${egressPurpose}_`;

/** As they are stored; an event shows all of them as `egress`. */
export const egressOperations: readonly string[] = ['proxy', 'reactor', 'webhook'].map(
  (subject) => operationPrefix + subject,
);

/** Who made such a request, and where it was to go. */
interface EgressParty {
  /** proxy, reactor or webhook. */
  readonly subjectType: string;
  /** Empty: it has none. */
  readonly subjectId: string;
  /** `host:port` */
  readonly destination: string;
}

type EgressEntry = CountedEntry & EgressParty;

export function insertEgress(tx: Queryable, entry: EgressEntry): Promise<void> {
  const { subjectId, destination } = entry;
  return insertCountedEntry(
    tx,
    egressPurpose,
    `${subjectId === '' ? noSubject : subjectId} ${destination}`,
    entry,
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
