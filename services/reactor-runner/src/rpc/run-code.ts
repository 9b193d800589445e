import { hash } from 'node:crypto';

import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';

import type { WorkerPool } from '../pool/pool.ts';
import type { Job } from '../pool/tenant.ts';
import { isMisbehaviour } from '../sandbox/outcome.ts';
import { audienceOf } from './audience.ts';
import { failureError } from './failure-error.ts';
import { hintOf } from './hint-of.ts';
import { thrownAnswer } from './thrown-answer.ts';

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
