import { validationError } from '../errors/app-error.ts';

/** Header of a replayed response. */
export const replayHeader = 'SVC-IDEMPOTENT-REPLAY';

/** For a request that succeeded, but whose response was too large to be stored. */
export const answerNotKept =
  'The request with this idempotency key has succeeded before. Its answer was too large to be kept.';

/**
 * Checks the `SVC-IDEMPOTENCY-KEY` of a request.
 * @returns undefined when there is none
 * @throws AppError `invalid_argument` unless it has 1 to 255 printable ASCII characters
 */
export function checkIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || /^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw validationError({ 'SVC-IDEMPOTENCY-KEY': ['must have 1 to 255 printable ASCII characters'] });
}
