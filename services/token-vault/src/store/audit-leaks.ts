import type { Queryable } from '@glovebox/platform/db/postgres';

import { type CountedEntry, insertCountedEntry, noSubject } from './counted-entries.ts';

/** The purpose of entries about answers that contained a value from their own request. */
export const leakPurpose = 'leak';
const operationPrefix = `${leakPurpose}_`;

/** Whose answers leak. */
export const leakSubjects: readonly string[] = ['proxy', 'reactor'];
/** As they are stored; an event shows all of them as `leak`. */
export const leakOperations = leakSubjects.map((subject) => operationPrefix + subject);

/** Whose answer it was. */
interface LeakSubject {
  readonly subjectType: string;
  /** Empty: it has none. */
  readonly subjectId: string;
}

/** The reason of an entry is what the leak guard did. */
export function insertLeak(db: Queryable, entry: CountedEntry): Promise<void> {
  return insertCountedEntry(db, leakPurpose, entry.subjectId === '' ? noSubject : entry.subjectId, entry);
}

/** Reads it from the operation of an entry and the id that goes with its purpose. */
export function leakSubject(operation: string, purposeId: string | null): LeakSubject {
  return {
    subjectType: operation.slice(operationPrefix.length),
    subjectId: purposeId === null || purposeId === noSubject ? '' : purposeId,
  };
}
