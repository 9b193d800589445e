import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { context, traceparentOf } from '@glovebox/platform/telemetry/tracing';

/** Options for a retryable call to another service within the current request. */
export function peerCall(timeoutMs: number, correlationId: string) {
  const traceparent = traceparentOf(context.active());
  return {
    deadline: Date.now() + timeoutMs,
    safe: true,
    correlationId,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

/**
 * Hides an error of another service: the caller did not make that request. Only what says more than that it failed is passed on.
 * @param message when the service cannot be reached
 */
export function peerFailure(message: string, cause: unknown): AppError {
  const failure = toAppError(cause);
  const { code } = failure;
  if (code === 'integrity_violation' || code === 'vault_sealed') return failure;
  const away = code === 'unavailable' || code === 'deadline_exceeded' || code === 'rate_limited';
  return away
    ? new AppError('unavailable', message, { cause })
    : new AppError('internal', 'The request could not be completed.', { cause });
}
