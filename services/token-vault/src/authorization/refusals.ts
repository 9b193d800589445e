import { AppError } from '@glovebox/platform/errors/app-error';

export function permissionDenied(permission: string): AppError {
  return new AppError('permission_denied', `The API key lacks the permission ${permission} here.`);
}

export function tokenNotFound(): AppError {
  return new AppError('not_found', 'There is no such token.');
}
