import { ExpressionError, type ExpressionErrorCode } from '@glovebox/expressions/expression-error';
import { AppError, type ErrorCode } from '@glovebox/platform/errors/app-error';

/** Runs `work`, and gives its errors about a body or its expressions the shape of every other error. */
export function translateErrors<T>(work: () => T, title?: string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new AppError(codes[error.code], error.message, title === undefined ? {} : { title });
  }
}

const codes: Readonly<Record<ExpressionErrorCode, ErrorCode>> = {
  invalid_expression: 'invalid_argument',
  invalid_body: 'invalid_argument',
  too_many_expressions: 'invalid_argument',
  too_large: 'too_large',
  unsupported_charset: 'unsupported_media_type',
};
