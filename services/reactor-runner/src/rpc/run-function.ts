import { hash } from 'node:crypto';

import { validationError } from '@glovebox/platform/errors';
import type { Logger } from '@glovebox/platform/logger';
import type { FunctionReturned, RunFunction } from '@glovebox/protos/runner/v1/runner';

import type { Limits } from '../config.ts';
import type { WorkerPool } from '../pool/pool.ts';
import type { Caller } from '../pool/worker-process.ts';
import { isMisbehaviour } from '../sandbox/outcome.ts';
import { failureError } from './failure-error.ts';

export interface RunContext {
  readonly pool: WorkerPool;
  readonly limits: Limits;
  readonly logger: Logger;
}

/** Runs a tenant's function once. @throws AppError */
export async function runFunction(
  { pool, limits, logger }: RunContext,
  { tenantId, code, argument }: RunFunction,
  caller: Caller,
  correlationId: string,
): Promise<FunctionReturned> {
  refuseInvalid(limits, tenantId, code, argument);
  const outcome = await pool.run({ tenantId, code, argument, caller });
  if (outcome.kind === 'returned') return { result: outcome.result };
  if (isMisbehaviour(outcome)) {
    const codeHash = hash('sha256', code);
    logger.warn({ tenantId, codeHash, correlationId, outcome: outcome.kind }, 'user code misbehaved');
  }
  throw failureError(outcome);
}

function refuseInvalid(limits: Limits, tenantId: string, code: string, argument: Buffer): void {
  const { codeLength, argumentBytes } = limits;
  const problems: Record<string, string[]> = {};
  if (tenantId === '') problems['tenant_id'] = ['is required'];
  if (code === '') problems['code'] = ['is required'];
  if (code.length > codeLength) problems['code'] = [`must have at most ${codeLength} characters`];
  if (argument.length === 0) problems['argument'] = ['is required'];
  if (argument.length > argumentBytes) problems['argument'] = [`must have at most ${argumentBytes} bytes`];
  if (Object.keys(problems).length > 0) throw validationError(problems);
}
