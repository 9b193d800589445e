import { randomUUID } from 'node:crypto';

import type { Transacting, Queryable } from '@glovebox/platform/db/postgres';
import { ROOT_CONTEXT, contextOf, withSpan } from '@glovebox/platform/telemetry/tracing';
import { oldestEventRows } from '@glovebox/published/event-outbox';
import type { Marker, SignedMarker } from '@glovebox/published/marker';

import type { OnCheckpoint } from './checkpoints.ts';
import { eventsPerRound } from './event-hand-over.ts';
import {
  type Entry,
  type Installation,
  advanceInstallation,
  deleteEntries,
  readEntries,
  readInstallation,
} from './outbox.ts';
import type { Projection } from './projection.ts';
import { type Rebuilt, type RecordSource, rebuild } from './rebuild.ts';

export interface RoundDependencies {
  readonly postgres: Transacting;
  readonly projection: Projection;
  /** Everything that is published, for a rebuild. */
  readonly sources: readonly RecordSource[];
  readonly onCheckpoint: OnCheckpoint;
}

export interface RoundOutcome {
  readonly published: number;
  /** From each change to its publication, in seconds; empty after a rebuild. */
  readonly lags: readonly number[];
  readonly rebuilt?: Rebuilt;
  /** Rows of the events whose changes are published once this round is committed. */
  readonly events: readonly string[];
  /** There may be entries that this round has not read. */
  readonly more: boolean;
}

const entriesPerRound = 100;
const bytesPerRound = 32 * 1024 * 1024;

/**
 * One publisher at a time, over all processes: a lock in Transacting admits one, and a fencing token in Redis
 * refuses the writes of a publisher that lost the lock without noticing. Publishes what is in the outbox, or rebuilds the
 * projection when it is not whole, or when that is asked for.
 */
export function publishRound(dependencies: RoundDependencies, anew = false): Promise<RoundOutcome> {
  const { projection, onCheckpoint } = dependencies;
  return inTurn(dependencies, async (tx, token) => {
    const marked = projection.marker();
    // A failure counts when its turn has come; until then it is not unhandled.
    marked.catch(() => undefined);
    const installation = await readInstallation(tx);
    // Events are read before entries, so the entries of these events are among those read, or `more` is true.
    const events = await oldestEventRows(tx, eventsPerRound);
    const { entries, more } = await readEntries(tx, entriesPerRound, bytesPerRound);
    const marker = await marked;
    onCheckpoint('entries-read');
    const whole =
      !anew &&
      isWhole(marker, installation, entries.length) &&
      (await publishAll(dependencies, token, installation, entries));
    if (!whole) {
      const rebuilt = await rebuild(dependencies, { tx, token, installation });
      return { published: rebuilt.entries, lags: [], rebuilt, events: [], more: true };
    }
    if (entries.length === 0 && isDue(marker)) await projection.resign(token, marker);
    const lags = entries.length > 0 ? await settle(tx, installation, entries, onCheckpoint) : [];
    return { published: entries.length, lags, events: more ? [] : events, more };
  }).then((outcome) => {
    onCheckpoint('round-committed');
    return outcome;
  });
}

/** Runs while no other process publishes. @param work gets the transaction that holds the lock, and the fencing token */
export function inTurn<T>(
  { postgres, projection, onCheckpoint }: Pick<RoundDependencies, 'postgres' | 'projection' | 'onCheckpoint'>,
  work: (tx: Queryable, token: string) => Promise<T>,
): Promise<T> {
  return postgres.transaction(async (tx) => {
    await lock(tx);
    onCheckpoint('locked');
    const token = randomUUID();
    await projection.fence(token);
    onCheckpoint('fencing-token-set');
    return work(tx, token);
  });
}

/** Readers accept a marker for half a minute at least. */
const renewAfterMs = 10_000;

/** Whether the marker should be signed anew, with nothing else to publish. */
export function isDue({ signedAt }: SignedMarker): boolean {
  return Date.now() - signedAt >= renewAfterMs;
}

/**
 * The server ends the transaction of a stalled publisher, so that others get the lock. It commits without waiting for the
 * disk: if the server loses it, the entries are there again, as after a publisher that was killed before its commit.
 */
async function lock(tx: Queryable): Promise<void> {
  await tx.query(
    'lock-publisher',
    `SELECT set_config('idle_in_transaction_session_timeout', '15000', true),
            set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(4711, 1)`,
  );
}

/**
 * Whole is what holds at least what was published, for this database. A marker that is further than what waits
 * can explain means that the database was restored from a backup.
 */
export function isWhole<T extends Marker>(
  marker: T | undefined,
  installation: Installation,
  waiting: number,
): marker is T {
  if (marker === undefined || marker.installationId !== installation.id) return false;
  const ahead = marker.lastEntry - installation.lastPublished;
  return ahead >= 0 && ahead <= waiting;
}

/**
 * The same without the lock, from markers that were read before and after all else: others publish meanwhile, and what they do
 * is neither a projection that fell behind nor one that is ahead.
 */
export function looksWhole(
  { before, after }: Readonly<Record<'before' | 'after', Marker | undefined>>,
  { id, lastPublished }: Installation,
  waiting: number,
): boolean {
  if (before === undefined || after === undefined) return false;
  const isOurs = before.installationId === id && after.installationId === id;
  return isOurs && after.lastEntry >= lastPublished && before.lastEntry <= lastPublished + waiting;
}

async function publishAll(
  { projection, onCheckpoint }: RoundDependencies,
  token: string,
  installation: Installation,
  entries: readonly Entry[],
): Promise<boolean> {
  let number = installation.lastPublished;
  for (const group of inGroups(entries)) {
    const before = number;
    const after = before + group.length;
    const records = group.flatMap((entry) => entry.records);
    const outcome = await traced(group, () =>
      projection.publish(token, { installationId: installation.id, records, before, after }),
    );
    if (outcome === 'not-whole') return false;
    number = after;
    onCheckpoint('entries-published');
  }
  return true;
}

/** Bound the work of one script, during which Redis answers nobody else; an entry that is larger has one of its own. */
const recordsPerGroup = 100;
const bytesPerGroup = 1024 * 1024;

/** The entries in their order, as many together as one script publishes. */
export function* inGroups(entries: readonly Entry[]): Iterable<readonly Entry[]> {
  let group: Entry[] = [];
  let records = 0;
  let bytes = 0;
  for (const entry of entries) {
    const isFull = records + entry.records.length > recordsPerGroup || bytes + entry.bytes > bytesPerGroup;
    if (isFull && group.length > 0) {
      yield group;
      [group, records, bytes] = [[], 0, 0];
    }
    group.push(entry);
    records += entry.records.length;
    bytes += entry.bytes;
  }
  if (group.length > 0) yield group;
}

/** The publication is in the trace of each request whose change it holds. */
async function traced<T>(entries: readonly Entry[], publish: () => Promise<T>): Promise<T> {
  let published: Promise<T> | undefined;
  const spans = entries.map(({ records, traceparent }) => {
    const attributes = { 'glovebox.records': records.length };
    return withSpan('publish', { attributes }, contextOf(traceparent, ROOT_CONTEXT), () => {
      published ??= publish();
      return published;
    });
  });
  const [outcome] = (await Promise.all(spans)) as [T];
  return outcome;
}

async function settle(
  tx: Queryable,
  installation: Installation,
  entries: readonly Entry[],
  onCheckpoint: OnCheckpoint,
): Promise<number[]> {
  const lags = await deleteEntries(
    tx,
    entries.map((entry) => entry.id),
  );
  await advanceInstallation(tx, installation.lastPublished + entries.length);
  onCheckpoint('entries-deleted');
  return lags;
}
