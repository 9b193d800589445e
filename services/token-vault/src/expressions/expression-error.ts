import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * A malformed expression, or one that cannot be evaluated: a 400. The caller sees the message and may use a token without
 * being able to read it. So the message names the filter and the problem, but never a value, nor an argument, which may
 * be a key. It has no cause, because a library's message may quote both.
 */
export class ExpressionEvaluationError extends AppError {
  constructor(publicMessage: string) {
    super('invalid_argument', publicMessage);
  }
}
