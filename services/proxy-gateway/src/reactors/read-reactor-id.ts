import { AppError } from '@glovebox/platform/errors/app-error';

import { isUuid } from '../http/uuid.ts';

/** @throws AppError `not_found` for what is no UUID. */
export function readReactorId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new AppError('not_found', 'There is no reactor with this id.');
}
