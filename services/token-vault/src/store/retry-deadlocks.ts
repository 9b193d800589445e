import { sqlStateOf } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

const deadlockDetected = '40P01';
const attempts = 3;

/** Runs a transaction again if Postgres aborted it as a deadlock's victim. */
export async function retryDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      if (attempt < attempts) continue;
      throw new AppError('unavailable', 'Too much is changing at once. Try again.', { cause: error });
    }
  }
}

function isDeadlock(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (sqlStateOf(at) === deadlockDetected) return true;
  }
  return false;
}
