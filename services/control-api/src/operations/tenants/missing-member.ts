import { AppError } from '@glovebox/platform/errors/app-error';

export function missingMember(): AppError {
  return new AppError('not_found', 'There is no such member.');
}
