import { validationError } from '@glovebox/platform/errors';
import type { UnaryContext } from '@glovebox/platform/grpc-unary';
import type { Logger } from '@glovebox/platform/logger';
import type { CompileProblem, CompileRequest, CompileResponse } from '@glovebox/protos/runner/v1/runner';

import type { Limits } from '../config.ts';
import type { Compiler } from '../pool/compiler.ts';
import { type Outcome, isMisbehaviour, userFile } from '../sandbox/outcome.ts';

export interface CompileContext {
  readonly compiler: Compiler;
  readonly limits: Limits;
  readonly logger: Logger;
}

/** Says whether code parses, without running it. @throws AppError */
export async function compile(
  { compiler, limits, logger }: CompileContext,
  { code }: CompileRequest,
  { deadline, correlationId }: UnaryContext,
): Promise<CompileResponse> {
  const { codeLength } = limits;
  if (code === '') throw validationError({ code: ['is required'] });
  if (code.length > codeLength) {
    throw validationError({ code: [`must be at most ${codeLength} characters long`] });
  }
  const outcome = await compiler.compile(code, deadline);
  if (isMisbehaviour(outcome)) {
    logger.warn({ correlationId, outcome: outcome.kind }, 'user code misbehaved while it was compiled');
  }
  return { problem: problemOf(outcome) };
}

function problemOf(outcome: Outcome): CompileProblem | undefined {
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
