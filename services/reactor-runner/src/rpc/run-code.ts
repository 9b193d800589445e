import { hash } from 'node:crypto';

import type { Logger } from '@glovebox/platform/logger';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';

import type { WorkerPool } from '../pool/pool.ts';
import type { Job } from '../pool/tenant.ts';
import { type Outcome, isMisbehaviour } from '../sandbox/outcome.ts';
import { failureError } from './failure-error.ts';
import { thrownAnswer } from './thrown-answer.ts';

export interface CodeContext {
  readonly pool: WorkerPool;
  readonly logger: Logger;
}

type Answer = NonNullable<RunnerReply['outcome']>;

/** Runs a tenant's code once, and says what its caller is answered. Rejects with an AppError. */
export function runCode({ pool, logger }: CodeContext, job: Job): Promise<Answer> {
  return pool.run(job).then((outcome) => answerOf(logger, job, outcome));
}

function answerOf(logger: Logger, job: Job, outcome: Outcome): Answer {
  if (outcome.kind === 'returned') return { $case: 'returned', value: { result: outcome.result } };
  if (isMisbehaviour(outcome)) {
    const { tenantId, code, correlationId } = job;
    const codeHash = hash('sha256', code);
    logger.warn({ tenantId, codeHash, correlationId, outcome: outcome.kind }, 'user code misbehaved');
  }
  const answer = outcome.kind === 'threw' ? thrownAnswer(outcome.thrown) : undefined;
  if (answer !== undefined) return answer;
  throw failureError(outcome);
}
