import { randomUUID } from 'node:crypto';

import type { CodeOwner } from '../scheduling/tenant.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { resultProblem } from './unusable-result.ts';

/** A run of code that has ended, and has something to tell. */
export interface LoggedInvocation {
  readonly id: string;
  readonly tenantId: string;
  readonly owner: CodeOwner;
  readonly correlationId: string;
  /** Milliseconds since the epoch, later than those of all before it. */
  readonly endedAt: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** Why nothing could be done with what it returned; undefined: something could, or it did not return. */
  readonly problem?: string | undefined;
  /** JSON text, as the worker process wrote it: nothing in it is to be trusted. Empty: nothing was logged. */
  readonly log: Buffer;
}

/** What ends; owner: undefined for code of which nothing is kept. */
export interface EndedRun {
  readonly tenantId: string;
  readonly correlationId: string;
  readonly owner?: CodeOwner;
}

const nothing = Buffer.alloc(0);

/**
 * Undefined when there is nothing to tell: the code returned something of use, or nobody waited for it, and it logged
 * nothing.
 */
export function invocationOf(
  { tenantId, correlationId, owner }: EndedRun,
  outcome: Outcome,
  endedAt: number,
  seconds: number,
  log: Buffer | undefined,
): LoggedInvocation | undefined {
  if (owner === undefined) return undefined;
  const problem = outcome.kind === 'returned' ? resultProblem(owner, outcome.result) : undefined;
  const isQuiet = outcome.kind === 'cancelled' || (outcome.kind === 'returned' && problem === undefined);
  if (isQuiet && log === undefined) return undefined;
  return {
    id: randomUUID(),
    tenantId,
    owner,
    correlationId,
    endedAt,
    durationMs: Math.round(seconds * 1000),
    problem,
    // A result would be kept for nothing.
    outcome: outcome.kind === 'returned' ? { kind: 'returned', result: nothing } : outcome,
    // Its own bytes: these are part of all that the worker sent at once.
    log: log === undefined ? nothing : Buffer.from(log),
  };
}
