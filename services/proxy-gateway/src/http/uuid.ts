import { AppError } from '@glovebox/platform/errors/app-error';

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The id of a path, in lower case.
 * @param absent what the error says of a malformed id
 * @throws AppError `not_found`: a malformed id is a 404.
 */
export function readUuid(text: string, absent: string): string {
  if (pattern.test(text)) return text.toLowerCase();
  throw new AppError('not_found', absent);
}

export const readReactorId = (text: string): string => readUuid(text, 'There is no reactor with this id.');
