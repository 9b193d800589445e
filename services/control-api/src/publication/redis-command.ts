import { AppError } from '@glovebox/platform/errors/app-error';

/** Runs a command of Redis. @throws AppError `unavailable` when it fails */
export async function redisCommand<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    throw new AppError('unavailable', 'The store of published records cannot be reached.', {
      cause: error,
    });
  }
}
