import type { Principal } from '@glovebox/access/principal';
import { holdsAnywhere } from '@glovebox/access/rules';
import type { InvocationOutcome, InvocationOutline } from '@glovebox/published/invocation-outline';

/** What a caller asks for. Every member that is there must fit. */
export interface InvocationFilter {
  /** Id of a proxy or reactor, in lower case. */
  readonly subject?: string | undefined;
  /** Any of these; empty: any. */
  readonly outcomes: readonly InvocationOutcome[];
  readonly traceId?: string | undefined;
  readonly status?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAfter?: number | undefined;
}

export const everyInvocation: InvocationFilter = { outcomes: [] };

/** Whether an invocation is asked for, and the caller may know of it. */
export function isShown(
  { subject, outcome, trace_id, status, started_at }: InvocationOutline,
  filter: InvocationFilter,
  { grants }: Pick<Principal, 'grants'>,
): boolean {
  if (!holdsAnywhere(grants, subject.type === 'proxy' ? 'proxy:read' : 'reactor:read')) return false;
  if (filter.subject !== undefined && filter.subject !== subject.id) return false;
  if (filter.outcomes.length > 0 && !filter.outcomes.includes(outcome)) return false;
  if (filter.traceId !== undefined && filter.traceId !== trace_id) return false;
  if (filter.status !== undefined && filter.status !== status) return false;
  return filter.startedAfter === undefined || Date.parse(started_at) > filter.startedAfter;
}
