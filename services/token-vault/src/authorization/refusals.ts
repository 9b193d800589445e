import { AppError } from '@glovebox/platform/errors/app-error';

export function permissionDenied(permission: string): AppError {
  return new AppError('permission_denied', `The API key lacks the permission ${permission} here.`);
}

/** @param destination as `host:port`; null or undefined: the values are sent nowhere */
export function destinationNotBound(destination: string | null | undefined): AppError {
  const where = destination ? `be sent to ${destination}` : 'be used';
  return new AppError(
    'destination_not_bound',
    `The value may not ${where}: no access rule of the API key has destinations that cover everything it could reach. ` +
      'Code without allowed_destinations may reach any host.',
  );
}

export function tokenNotFound(): AppError {
  return new AppError('not_found', 'There is no such token.');
}
