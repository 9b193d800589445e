import { hash } from 'node:crypto';

import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { audienceOf } from '../failures/audience.ts';
import { failureError } from '../failures/failure-error.ts';
import { hintOf } from '../failures/hint-of.ts';
import { thrownAnswer } from '../failures/thrown-answer.ts';
import type { Job } from '../scheduling/tenant.ts';
import type { WorkerPool } from '../scheduling/worker-pool.ts';
import { isMisbehaviour } from '../worker-protocol/outcome.ts';

export interface CodeContext {
  readonly pool: WorkerPool;
  readonly logger: Logger;
}

/**
 * Runs a tenant's code once, and says what its caller is answered: nothing in that shows what the run knew, unless the
 * code returned it or answered with it by itself.
 *
 * @param anonymous nobody knows who the caller is
 * @throws AppError
 */
export async function runCode(
  { pool, logger }: CodeContext,
  job: Job,
  anonymous = false,
): Promise<NonNullable<RunnerReply['outcome']>> {
  const outcome = await pool.run(job);
  if (outcome.kind === 'returned') return { $case: 'returned', value: { result: outcome.result } };
  if (isMisbehaviour(outcome)) {
    const { tenantId, code, correlationId } = job;
    const codeHash = hash('sha256', code);
    logger.warn({ tenantId, codeHash, correlationId, outcome: outcome.kind }, 'user code misbehaved');
  }
  const audience = audienceOf(job.known, anonymous, job.correlationId);
  const answer = outcome.kind === 'threw' ? thrownAnswer(outcome.thrown, audience) : undefined;
  if (answer !== undefined) return answer;
  throw failureError(outcome, audience, hintOf(outcome, job));
}
