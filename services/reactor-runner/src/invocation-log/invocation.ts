import { randomUUID } from 'node:crypto';

import type { TransformedMessage } from '@glovebox/protos/runner/v1/runner';

import type { CodeOwner } from '../scheduling/tenant.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { resultProblem } from './unusable-result.ts';

/** An ended run that is worth logging. */
export interface LoggedInvocation {
  readonly id: string;
  readonly tenantId: string;
  readonly owner: CodeOwner;
  readonly correlationId: string;
  /** Milliseconds since the epoch, unique and ascending. */
  readonly endedAt: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** Why the result was unusable, if it was. */
  readonly problem?: string | undefined;
  /** JSON text from the worker process, untrusted. Empty: nothing was logged. */
  readonly log: Buffer;
}

/** Without an owner, the run is not logged. */
export interface EndedRun {
  readonly tenantId: string;
  readonly correlationId: string;
  readonly owner?: CodeOwner;
  readonly message?: TransformedMessage | undefined;
}

const nothing = Buffer.alloc(0);

/** Undefined when there is nothing to log: the code succeeded or was cancelled, and wrote nothing to its console. */
export function invocationOf(
  { tenantId, correlationId, owner, message }: EndedRun,
  outcome: Outcome,
  endedAt: number,
  seconds: number,
  log: Buffer | undefined,
): LoggedInvocation | undefined {
  if (owner === undefined) return undefined;
  const problem = outcome.kind === 'returned' ? resultProblem(owner, outcome.result, message) : undefined;
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
    // The result is not logged.
    outcome: outcome.kind === 'returned' ? { kind: 'returned', result: nothing } : outcome,
    // Copied, since these bytes share memory with everything the worker sent at once.
    log: log === undefined ? nothing : Buffer.from(log),
  };
}
