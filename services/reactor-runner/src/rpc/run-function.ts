import { hash } from 'node:crypto';

import { validationError } from '@glovebox/platform/errors';
import type { Logger } from '@glovebox/platform/logger';
import type { FunctionReturned, RunFunction } from '@glovebox/protos/runner/v1/runner';

import type { Limits } from '../config.ts';
import type { WorkerPool } from '../pool/pool.ts';
import { failureError, isMisbehaviour } from '../sandbox/outcome.ts';

export interface RunContext {
  readonly pool: WorkerPool;
  readonly limits: Limits;
  readonly logger: Logger;
}

/** The caller's side of a call. */
export interface Caller {
  readonly correlationId: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Runs a tenant's function once. @throws AppError */
export async function runFunction(
  { pool, limits, logger }: RunContext,
  { tenantId, code, argument }: RunFunction,
  caller: Caller,
): Promise<FunctionReturned> {
  refuseInvalid(limits, tenantId, code, argument);
  const codeHash = hash('sha256', code);
  const outcome = await pool.run({
    tenantId,
    code,
    codeHash,
    argument,
    deadline: caller.deadline,
    // Made only when it is looked at, which most calls never need.
    get signal() {
      return caller.signal;
    },
  });
  if (outcome.kind === 'returned') return { result: outcome.result };
  if (isMisbehaviour(outcome)) {
    const { correlationId } = caller;
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
