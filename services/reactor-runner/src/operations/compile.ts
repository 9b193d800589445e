import { validationError } from '@glovebox/platform/errors/app-error';
import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import { maxShownLength } from '@glovebox/platform/redaction/known-values';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type {
  CodeLoading,
  CompileProblem,
  CompileRequest,
  CompileResponse,
} from '@glovebox/protos/runner/v1/runner';

import { failureError } from '../replies/failure-error.ts';
import type { Compiler } from '../scheduling/compiler.ts';
import type { Loader } from '../scheduling/loader.ts';
import { type Outcome, isMisbehaviour, userFile } from '../worker-protocol/outcome.ts';

export interface CompileContext {
  readonly compiler: Compiler;
  readonly loader: Loader;
  readonly limits: { readonly codeLength: number };
  readonly logger: Logger;
}

/** Checks whether code parses, and for a tenant whether it loads. @throws AppError */
export async function compile(
  { compiler, loader, limits, logger }: CompileContext,
  { code, tenantId }: CompileRequest,
  { deadline, correlationId }: UnaryContext,
): Promise<CompileResponse> {
  const { codeLength } = limits;
  if (code === '') throw validationError({ code: ['is required'] });
  if (code.length > codeLength) {
    throw validationError({ code: [`must be at most ${codeLength} characters long`] });
  }
  const logMisbehaviour = (outcome: Outcome | undefined, doing: string) => {
    if (outcome === undefined || !isMisbehaviour(outcome)) return;
    logger.warn({ correlationId, outcome: outcome.kind }, `user code misbehaved while it was ${doing}`);
  };
  const compiled = await compiler.compile(tenantId, code, deadline);
  logMisbehaviour(compiled, 'compiled');
  const problem = problemOf(compiled);
  if (problem !== undefined || tenantId === '') return { problem, loading: undefined };
  const loaded = await loader.load(code, tenantId, deadline);
  logMisbehaviour(loaded, 'loaded');
  return { problem, loading: { outcome: loadingOf(loaded) } };
}

function loadingOf(outcome: Outcome | undefined): CodeLoading['outcome'] {
  if (outcome === undefined) return { $case: 'notTried', value: {} };
  if (outcome.kind === 'returned') return { $case: 'loaded', value: {} };
  if (outcome.kind === 'not_a_function') return { $case: 'problem', value: outcome.reason };
  const [[how] = []] = Object.values(failureError(outcome).errors);
  return {
    $case: 'problem',
    value: `fails as it loads: ${how?.slice(0, maxShownLength) ?? 'it ends in an error'}`,
  };
}

/** Why code does not parse; undefined when it does. */
export function problemOf(outcome: Outcome): CompileProblem | undefined {
  switch (outcome.kind) {
    case 'returned':
      return undefined;
    case 'not_a_function':
      return placedProblem(outcome.reason);
    case 'timeout':
      return unplaced('The code takes too long to be compiled.');
    case 'memory':
      return unplaced('The code takes too much memory to be compiled.');
    default:
      return unplaced('The code ended the process that compiled it.');
  }
}

const withPlace = new RegExp(`^(.*) \\(${RegExp.escape(userFile)}:(\\d{1,9}):(\\d{1,9})\\)$`, 's');

function placedProblem(reason: string): CompileProblem {
  const [, message, line, column] = withPlace.exec(reason) ?? [];
  if (message === undefined) return unplaced(reason);
  return { message, line: Number(line), column: Number(column) };
}

function unplaced(message: string): CompileProblem {
  return { message, line: 0, column: 0 };
}
