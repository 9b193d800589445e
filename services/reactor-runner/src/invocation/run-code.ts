import { hash } from 'node:crypto';

import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { EgressViolation } from '@glovebox/published/egress-violations';

import { audienceOf } from '../replies/audience.ts';
import { failureError } from '../replies/failure-error.ts';
import { hintOf } from '../replies/hint-of.ts';
import type { Reply } from '../replies/reply.ts';
import { thrownAnswer } from '../replies/thrown-answer.ts';
import type { CodeRun } from '../scheduling/tenant.ts';
import type { WorkerPool } from '../scheduling/worker-pool.ts';
import { isMisbehaviour } from '../worker-protocol/outcome.ts';

export interface RunCodeContext {
  readonly pool: WorkerPool;
  readonly logger: Logger;
  /** Has a host reported that code tried to reach outside of its reach. */
  noteViolation(this: void, violation: EgressViolation): void;
  /** Counts a run that was ended. */
  noteKilled(this: void, tenantId: string): void;
}

/**
 * Runs a tenant's code once, and turns its outcome into a reply. The reply shows none of the run's known values, unless
 * the code returned them or answered with them itself.
 *
 * @param anonymous the caller has no API key
 * @throws AppError
 */
export async function runCode(
  { pool, logger, noteViolation, noteKilled }: RunCodeContext,
  run: CodeRun,
  anonymous = false,
): Promise<Reply> {
  const outcome = await pool.run(run.reach === undefined ? run : withReports(run, noteViolation));
  if (outcome.kind === 'returned') return { $case: 'returned', value: { result: outcome.result } };
  if (isMisbehaviour(outcome)) {
    const { tenantId, code, correlationId } = run;
    noteKilled(tenantId);
    const codeHash = hash('sha256', code);
    logger.warn({ tenantId, codeHash, correlationId, outcome: outcome.kind }, 'user code misbehaved');
  }
  const audience = audienceOf(run.known, anonymous, run.correlationId);
  const answer = outcome.kind === 'threw' ? thrownAnswer(outcome.thrown, audience) : undefined;
  if (answer !== undefined) return answer;
  throw failureError(outcome, audience, hintOf(outcome, run));
}

function withReports(run: CodeRun, noteViolation: RunCodeContext['noteViolation']): CodeRun {
  const { tenantId, owner, correlationId } = run;
  const subjectType = owner?.side === undefined ? 'reactor' : 'proxy';
  const subject = { tenantId, subjectType, subjectId: owner?.id ?? '', applicationId: '', correlationId };
  return {
    ...run,
    onEgress: ({ place: destination, reason, denied }) =>
      noteViolation({ ...subject, destination, reason, denied }),
  };
}
