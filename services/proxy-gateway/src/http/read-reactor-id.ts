import { AppError } from '@glovebox/platform/errors';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws AppError `not_found` for what is no UUID. */
export function readReactorId(text: string): string {
  if (uuid.test(text)) return text.toLowerCase();
  throw new AppError('not_found', 'There is no reactor with this id.');
}
