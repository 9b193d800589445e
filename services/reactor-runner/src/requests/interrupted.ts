import { AppError } from '@glovebox/platform/errors/app-error';

/** Code may have had effects before it ended, so that it is not run a second time. */
export function interrupted(): AppError {
  return runtimeError(
    'The invocation was interrupted while its code ran. What the code did until then is unknown; it is not run again.',
  );
}

/** What a result tells of a failure of ours: a 503 would say that asking again helps. */
export function runtimeError(problem: string): AppError {
  return new AppError('internal', 'Reactor Runtime Error', { errors: { error: [problem] } });
}
