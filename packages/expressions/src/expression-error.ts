/**
 * - `invalid_expression`: an expression is not closed, empty or otherwise malformed (400)
 * - `invalid_body`: the body is not what its content type says, so no expression can be found (400)
 * - `too_many_expressions`: more than the limit (400)
 * - `too_large`: the filled body would be larger than the limit (413)
 * - `unsupported_charset`: the body holds an expression and is in another charset than UTF-8 (415)
 */
export type ExpressionErrorCode =
  | 'invalid_expression'
  | 'invalid_body'
  | 'too_many_expressions'
  | 'too_large'
  | 'unsupported_charset';

/** A body whose expressions cannot be found or filled. Its message holds nothing of body or values. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code: ExpressionErrorCode;
  /** Offset in the body, in bytes: of the expression, or of the string, value or byte that is at fault. */
  readonly position: number;

  constructor(code: ExpressionErrorCode, message: string, position: number) {
    super(`${message} (at byte ${position} of the body)`);
    this.code = code;
    this.position = position;
  }
}
