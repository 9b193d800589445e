import { randomUUID } from 'node:crypto';

import { andThen } from '@glovebox/platform/values/maybe-promise';
import type { RunNote } from '@glovebox/protos/runner/v1/runner';
import { type InvocationOutline, isKept } from '@glovebox/published/invocation-outline';
import type { OutlineWriter } from '@glovebox/published/outline-writer';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { RecentCounts } from '@glovebox/published/recent-counts';

import { placeOf } from '../replies/placed-error.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import type { EndedRun } from './invocation.ts';
import { resultProblem } from './unusable-result.ts';

/** A run that has ended, and for whom. */
export interface OutlinedRun extends EndedRun {
  readonly note?: RunNote | undefined;
}

/** Says of runs that have ended what may be shown to those who must not see values (contract/invocations.md#outline). */
export class Outlines {
  readonly #published: Pick<PublishedRecords, 'tenantById'>;
  readonly #writer: Pick<OutlineWriter, 'add'>;
  readonly #counts: Pick<RecentCounts, 'noteInvocation'>;

  constructor(
    published: Pick<PublishedRecords, 'tenantById'>,
    writer: Pick<OutlineWriter, 'add'>,
    counts: Pick<RecentCounts, 'noteInvocation'>,
  ) {
    this.#published = published;
    this.#writer = writer;
    this.#counts = counts;
  }

  /**
   * Reports a run to the gateway that waits for it, and stores the outline of any other: an asynchronous invocation of a
   * reactor, or one by code. Never throws.
   *
   * @param logged whether the code wrote to its log
   */
  record(run: OutlinedRun, outcome: Outcome, seconds: number, logged: boolean): void {
    const { note, owner, tenantId } = run;
    if (note !== undefined) return fill(note, outcome, logged);
    if (owner === undefined || owner.side !== undefined || outcome.kind === 'cancelled') return;
    const outline = outlineOf(run, owner.id, outcome, seconds, logged);
    this.#counts.noteInvocation(tenantId, outline.subject, outline.outcome === 'failed');
    const keep = (settings: Readonly<Record<string, string>> | undefined) => {
      if (isKept(outline, settings)) this.#writer.add(tenantId, outline);
    };
    const decided = andThen(this.#published.tenantById(tenantId), (tenant) => keep(tenant?.settings));
    if (decided instanceof Promise) decided.catch(() => keep(undefined));
  }
}

function fill(note: RunNote, outcome: Outcome, logged: boolean): void {
  note.logged ||= logged;
  const place = outcome.kind === 'threw' ? placeOf(outcome.thrown) : undefined;
  note.line = place?.line ?? 0;
  note.column = place?.column ?? 0;
}

function outlineOf(
  { correlationId }: OutlinedRun,
  id: string,
  outcome: Outcome,
  seconds: number,
  logged: boolean,
): InvocationOutline {
  const code = errorCodeOf(outcome);
  const place = outcome.kind === 'threw' ? placeOf(outcome.thrown) : undefined;
  return {
    id: randomUUID(),
    subject: { type: 'reactor', id },
    outcome: code === undefined ? 'succeeded' : 'failed',
    trace_id: correlationId,
    started_at: new Date(Date.now() - seconds * 1000).toISOString(),
    duration_ms: Math.round(seconds * 100_000) / 100,
    error: code === undefined ? undefined : { code, ...place },
    logged,
  };
}

/** How the run failed, in the words of the log of invocations; undefined for a success. */
function errorCodeOf(outcome: Outcome): string | undefined {
  if (outcome.kind !== 'returned') return outcome.kind;
  return resultProblem({ id: '' }, outcome.result) === undefined ? undefined : 'unusable_result';
}
