import { validationError } from '@glovebox/platform/errors/app-error';

/** The name in error messages. */
const header = 'SVC-DRY-RUN';

/**
 * Whether a request is only to be tried (contract/dry-runs.md#dry-runs).
 * @param isKnown whether the address has dry runs
 * @throws AppError `invalid_argument`: who asks for a dry run must never get a real one
 */
export function readDryRun(sent: string | undefined, isKnown: boolean): boolean {
  if (sent === undefined || sent === 'false') return false;
  if (sent !== 'true') throw validationError({ [header]: ['must be true or false'] });
  if (!isKnown) throw validationError({ [header]: ['has no meaning here: this request has no dry run'] });
  return true;
}
