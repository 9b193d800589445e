import { AppError } from '@glovebox/platform/errors/app-error';

/** The AppError that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it succeeded, but should have failed');
}

/** `ok`, or the code of the AppError that a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (error: { readonly code: string }) => error.code,
  );
}
