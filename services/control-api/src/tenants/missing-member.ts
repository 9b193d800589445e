import { AppError } from '@glovebox/platform/errors';

export function missingMember(): AppError {
  return new AppError('not_found', 'There is no such member.');
}
