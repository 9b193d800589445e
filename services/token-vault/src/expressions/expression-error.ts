import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * An expression that cannot be read or evaluated: a 400. The message is public, and the caller may be allowed to use a
 * token without being allowed to read it. So it says which filter failed and why, and never holds a value, nor the
 * arguments of an expression, which may be keys. There is no cause either: a library's message may quote both.
 */
export class ExpressionEvaluationError extends AppError {
  constructor(publicMessage: string) {
    super('invalid_argument', publicMessage);
  }
}
