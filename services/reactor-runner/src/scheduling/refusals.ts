import { AppError } from '@glovebox/platform/errors/app-error';

export function tooMany(): AppError {
  return new AppError('rate_limited', 'Too many runs of code are waiting already.');
}

export function stopping(): AppError {
  return new AppError('unavailable', 'The service is stopping.');
}

export function late(): AppError {
  return new AppError('deadline_exceeded', 'The request took too long.');
}

export function cancelled(): AppError {
  return new AppError('cancelled', 'The request was cancelled.');
}
