import { validationError } from '../errors/app-error.ts';

/** Of an answer that was given before. */
export const replayHeader = 'SVC-IDEMPOTENT-REPLAY';

/** Said of a request that was done, but whose answer is not there to be given again. */
export const answerNotKept =
  'The request with this idempotency key has succeeded before. Its answer was too large to be kept.';

/**
 * Checks what a client has sent as `SVC-IDEMPOTENCY-KEY`.
 * @returns undefined when it has sent none
 * @throws AppError `invalid_argument` unless it has 1 to 255 printable characters of ASCII
 */
export function checkIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || /^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw validationError({ 'SVC-IDEMPOTENCY-KEY': ['must have 1 to 255 printable ASCII characters'] });
}
