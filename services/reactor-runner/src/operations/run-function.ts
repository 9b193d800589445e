import { validationError } from '@glovebox/platform/errors/app-error';
import type { RunFunction } from '@glovebox/protos/runner/v1/runner';

import { type RunCodeContext, runCode } from '../invocation/run-code.ts';
import type { Reply } from '../replies/reply.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';

export interface FunctionContext extends RunCodeContext {
  readonly limits: { readonly codeLength: number; readonly argumentBytes: number };
}

/** Runs a tenant's function once. @throws AppError */
export function runFunction(
  context: FunctionContext,
  { tenantId, code, argument }: RunFunction,
  lifetime: CallLifetime,
  correlationId: string,
): Promise<Reply> {
  refuseInvalid(context.limits, tenantId, code, argument);
  return runCode(context, { tenantId, code, argument, lifetime, correlationId });
}

function refuseInvalid(
  { codeLength, argumentBytes }: FunctionContext['limits'],
  tenantId: string,
  code: string,
  argument: Buffer,
): void {
  const problems: Record<string, string[]> = {};
  if (tenantId === '') problems['tenant_id'] = ['is required'];
  if (code === '') problems['code'] = ['is required'];
  if (code.length > codeLength) problems['code'] = [`must have at most ${codeLength} characters`];
  if (argument.length === 0) problems['argument'] = ['is required'];
  if (argument.length > argumentBytes) problems['argument'] = [`must have at most ${argumentBytes} bytes`];
  if (Object.keys(problems).length > 0) throw validationError(problems);
}
