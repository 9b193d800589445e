import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { context, traceparentOf } from '@glovebox/platform/telemetry/tracing';

/** For a call of another service within the current request, which may be made again. */
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
 * What another service says about our request is no answer to the caller, who never made it.
 *
 * @param message when it cannot be reached
 */
export function peerFailure(message: string, cause: unknown): AppError {
  const { code } = toAppError(cause);
  const away = code === 'unavailable' || code === 'deadline_exceeded' || code === 'rate_limited';
  return away
    ? new AppError('unavailable', message, { cause })
    : new AppError('internal', 'The request could not be completed.', { cause });
}
