import { AppError } from '@glovebox/platform/errors/app-error';

/** The AppError that a promise rejects with; fails when it doesn't. */
export async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  const [outcome] = await Promise.allSettled([promise]);
  if (outcome.status === 'fulfilled') {
    throw new Error(`expected a failure, got ${JSON.stringify(outcome.value)}`);
  }
  if (outcome.reason instanceof AppError) return outcome.reason;
  throw new Error('expected an AppError', { cause: outcome.reason });
}
