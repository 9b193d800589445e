import { AppError } from '../errors/app-error.ts';

/** Failures of calls that the client itself decides. */

export function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'A service that this request needs is not available.', { cause });
}

export function overloaded(): AppError {
  return new AppError('unavailable', 'Too many requests are waiting already.');
}

export function late(): AppError {
  return new AppError('deadline_exceeded', 'The request took too long.');
}

export function cancelled(): AppError {
  return new AppError('cancelled', 'The request was cancelled.');
}
