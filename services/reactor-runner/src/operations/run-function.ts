import { validationError } from '@glovebox/platform/errors/app-error';
import type { RunFunction, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { type CodeContext, runCode } from '../invocation/run-code.ts';
import type { Caller } from '../worker-process/worker-process.ts';

export interface FunctionLimits {
  readonly codeLength: number;
  readonly argumentBytes: number;
}

export interface FunctionContext extends CodeContext {
  readonly limits: FunctionLimits;
}

/** Runs a tenant's function once. @throws AppError */
export function runFunction(
  context: FunctionContext,
  { tenantId, code, argument }: RunFunction,
  caller: Caller,
  correlationId: string,
): Promise<NonNullable<RunnerReply['outcome']>> {
  refuseInvalid(context.limits, tenantId, code, argument);
  return runCode(context, { tenantId, code, argument, caller, correlationId });
}

function refuseInvalid(limits: FunctionLimits, tenantId: string, code: string, argument: Buffer): void {
  const { codeLength, argumentBytes } = limits;
  const problems: Record<string, string[]> = {};
  if (tenantId === '') problems['tenant_id'] = ['is required'];
  if (code === '') problems['code'] = ['is required'];
  if (code.length > codeLength) problems['code'] = [`must have at most ${codeLength} characters`];
  if (argument.length === 0) problems['argument'] = ['is required'];
  if (argument.length > argumentBytes) problems['argument'] = [`must have at most ${argumentBytes} bytes`];
  if (Object.keys(problems).length > 0) throw validationError(problems);
}
