import type { Transacting, Queryable } from '@glovebox/platform/db/postgres';

import type { OnCheckpoint } from './checkpoints.ts';
import { type Installation, advanceInstallation, deleteEntries, readEntryHeads } from './outbox.ts';
import type { Projection } from './projection.ts';
import type { NamedRecord, RecordPages } from './record.ts';

/** Pages through all records of one kind, as one snapshot of the database holds them. */
export type RecordSource = (snapshot: Queryable) => RecordPages;

interface RebuildDependencies {
  readonly postgres: Transacting;
  readonly projection: Projection;
  readonly sources: readonly RecordSource[];
  readonly onCheckpoint: OnCheckpoint;
}

/** The outcome of a rebuild. */
export interface Rebuilt {
  /** Entries of the outbox that were part of it. */
  readonly entries: number;
  /** How many records of each kind were written. */
  readonly records: Readonly<Record<string, number>>;
}

interface Round {
  /** Holds the publishers' lock. */
  readonly tx: Queryable;
  readonly token: string;
  readonly installation: Installation;
}

/**
 * Rebuilds the projection from the database. Readers see no marker meanwhile and use their caches. Waiting outbox
 * entries are part of the snapshot and are removed with it.
 */
export async function rebuild(dependencies: RebuildDependencies, round: Round): Promise<Rebuilt> {
  const { postgres, projection, onCheckpoint } = dependencies;
  const { tx, token, installation } = round;
  await projection.unmark(token);
  const floor = projection.nextFloor();
  onCheckpoint('rebuild-begun');
  // Nobody else writes from here on, so what is there now and is not written anew is left over. An empty Redis has nothing.
  const leftovers = await projection.stored();
  const { covered, records } = await postgres.transaction(async (snapshot) => {
    await snapshot.query('begin-snapshot', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const covered = await readEntryHeads(snapshot);
    const records = await writeAll(dependencies, round, snapshot, leftovers);
    await projection.remove(token, leftovers);
    onCheckpoint('rebuild-leftovers-removed');
    return { covered, records };
  });
  const lastEntry = installation.lastPublished + covered.length;
  const changed = covered.flatMap((entry) => entry.names);
  await projection.mark(token, { installationId: installation.id, lastEntry }, changed, floor);
  onCheckpoint('rebuild-marked');
  await deleteEntries(
    tx,
    covered.map((entry) => entry.id),
  );
  await advanceInstallation(tx, lastEntry);
  onCheckpoint('rebuild-entries-deleted');
  return { entries: covered.length, records };
}

/** Adds to the counts of each kind, which is what a record's name begins with. */
function countKinds(counts: Record<string, number>, records: readonly NamedRecord[]): void {
  for (const { name } of records) {
    const kind = name.slice(0, name.indexOf(':'));
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
}

/** So many pages are on their way at once: one is read while others are signed and written. */
const pagesAtOnce = 3;

/** @param leftovers loses the names of what is written. @returns how many records of each kind were written */
async function writeAll(
  { projection, sources, onCheckpoint }: RebuildDependencies,
  { tx, token }: Round,
  snapshot: Queryable,
  leftovers: Set<string>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const writePage = async (page: readonly NamedRecord[]) => {
    const written = await projection.write(token, page);
    for (const stored of leftovers.size > 0 ? written : []) leftovers.delete(stored);
    countKinds(counts, page);
    onCheckpoint('rebuild-page-written');
  };
  const onTheWay: Promise<void>[] = [];
  for (const source of sources) {
    for await (const page of source(snapshot)) {
      const writing = writePage(page);
      // A failure counts when its turn has come; until then it is not unhandled.
      writing.catch(() => undefined);
      onTheWay.push(writing);
      if (onTheWay.length === pagesAtOnce) await onTheWay.shift();
      await keepLock(tx);
    }
  }
  await Promise.all(onTheWay);
  return counts;
}

/** A statement from time to time keeps the server from ending the transaction that holds the lock as idle. */
async function keepLock(tx: Queryable): Promise<void> {
  await tx.query('keep-lock', 'SELECT 1');
}
