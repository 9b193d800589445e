/**
 * The one error type of the product. It crosses gRPC intact (grpc.ts), and clients get it as the common error object
 * (http.ts). Its message is public. Private details go into `cause`, which is logged and never sent.
 */

export const errorCodes = [
  'invalid_argument',
  'strict',
  'unauthenticated',
  'permission_denied',
  'destination_not_bound',
  'destination_not_allowed',
  'not_found',
  'method_not_allowed',
  'deadline_exceeded',
  'conflict',
  'version_conflict',
  'too_large',
  'unsupported_media_type',
  'unprocessable',
  'rate_limited',
  'use_limit',
  'cancelled',
  'internal',
  'integrity_violation',
  'bad_gateway',
  'destination_tls',
  'response_leaks_value',
  'unavailable',
  'destination_circuit_open',
  'vault_sealed',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Problems of a request, keyed by snake_case JSON path, e.g. `{"rules[0].container": ["must start with /"]}`. */
export type FieldProblems = Readonly<Record<string, readonly string[]>>;

export interface AppErrorOptions {
  readonly errors?: FieldProblems;
  /** Overrides the code's own title in the common error object. */
  readonly title?: string;
  /** Milliseconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
  /** Every word is this service's own, so no value can be in it: it is shown unchanged (known-values.ts). */
  readonly fixed?: boolean;
  /** For the log only. */
  readonly cause?: unknown;
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly errors: FieldProblems;
  readonly title: string | undefined;
  /** For the header `Retry-After`. Does not cross gRPC. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether every word is this service's own. Does not cross gRPC. */
  readonly fixed: boolean;

  /** @param publicMessage is shown to the caller: it never holds a secret or a token's value. */
  constructor(code: ErrorCode, publicMessage: string, options: AppErrorOptions = {}) {
    super(publicMessage, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? {};
    this.title = options.title;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fixed = options.fixed ?? false;
  }

  /** The same error in other words. */
  reworded(publicMessage: string, errors: FieldProblems): AppError {
    const { code, title, retryAfterSeconds, cause } = this;
    return new AppError(code, publicMessage, {
      errors,
      cause,
      ...(title === undefined ? {} : { title }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
}

/** A 400 that names every wrong field. */
export function validationError(errors: FieldProblems): AppError {
  const first = Object.entries(errors)[0];
  return new AppError(
    'invalid_argument',
    first ? `${first[0]}: ${first[1][0] ?? 'is invalid'}` : 'Invalid request',
    {
      errors,
      title: 'One or more validation errors occurred.',
    },
  );
}

/** The same for what only a strict caller has refused (`SVC-Strict: true`). */
export function strictError(errors: FieldProblems): AppError {
  const { message, title } = validationError(errors);
  return new AppError('strict', message, { errors, ...(title === undefined ? {} : { title }) });
}

/** Any exception as an AppError. An unknown one becomes `internal` and shows the caller nothing. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', 'The request could not be completed.', { cause: thrown });
}

export function isErrorCode(text: string): text is ErrorCode {
  return errorCodes.some((code) => code === text);
}
