import { type AppError, type ErrorCode, type FieldProblems, errorCodes } from './app-error.ts';

/** A problem, from a service or from a tenant's code (RFC 7807 members). */
export interface Problem {
  readonly errors: FieldProblems;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

/** The common error object. */
export interface ErrorObject extends Problem {
  readonly code: ErrorCode;
  /** The correlation id of the request, as in the header `SVC-TRACE-ID` of its response. */
  readonly trace_id: string;
  /** Absolute; the same for each code. */
  readonly doc_url: string;
}

/** The part of an error object that depends on the request and the installation. */
export interface Occurrence {
  readonly correlationId: string;
  /** The documentation, absolute and without a slash at its end. */
  readonly docsUrl: string;
}

const table: Readonly<Record<ErrorCode, { readonly status: number; readonly title: string }>> = {
  invalid_argument: { status: 400, title: 'Bad Request' },
  strict: { status: 400, title: 'Bad Request' },
  unauthenticated: { status: 401, title: 'Unauthorized' },
  permission_denied: { status: 403, title: 'Forbidden' },
  destination_not_bound: { status: 403, title: 'Forbidden' },
  destination_not_allowed: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not Found' },
  method_not_allowed: { status: 405, title: 'Method Not Allowed' },
  deadline_exceeded: { status: 408, title: 'Request Timeout' },
  conflict: { status: 409, title: 'Conflict' },
  version_conflict: { status: 412, title: 'Precondition Failed' },
  too_large: { status: 413, title: 'Content Too Large' },
  unsupported_media_type: { status: 415, title: 'Unsupported Media Type' },
  unprocessable: { status: 422, title: 'Unprocessable Content' },
  rate_limited: { status: 429, title: 'Too Many Requests' },
  use_limit: { status: 429, title: 'Too Many Requests' },
  cancelled: { status: 499, title: 'Client Closed Request' },
  internal: { status: 500, title: 'Internal Server Error' },
  integrity_violation: { status: 500, title: 'Internal Server Error' },
  bad_gateway: { status: 502, title: 'Bad Gateway' },
  destination_tls: { status: 502, title: 'Bad Gateway' },
  response_leaks_value: { status: 502, title: 'Bad Gateway' },
  unavailable: { status: 503, title: 'Service Unavailable' },
  destination_circuit_open: { status: 503, title: 'Service Unavailable' },
  vault_sealed: { status: 503, title: 'Service Unavailable' },
};

/** HTTP status of an error code (RFC 9110 section 15). */
export function statusOf(code: ErrorCode): number {
  return table[code].status;
}

/** The public form of an error. */
export function toErrorObject(error: AppError, occurrence: Occurrence): ErrorObject {
  const { status, title } = table[error.code];
  const problem = { errors: error.errors, title: error.title ?? title, status, detail: error.message };
  return problemObject(problem, occurrence, error.code);
}

/** The public form of a problem whose status is none of our errors' statuses. */
export function problemObject(
  { errors, title, status, detail }: Problem,
  { correlationId, docsUrl }: Occurrence,
  code = codeOfStatus(status),
): ErrorObject {
  const doc_url = `${docsUrl}/errors#${code}`;
  return { errors, title, status, detail, code, trace_id: correlationId, doc_url };
}

/** The first code of this status, or of its class (RFC 9110 section 15). */
function codeOfStatus(status: number): ErrorCode {
  const exact = errorCodes.find((code) => table[code].status === status);
  return exact ?? (status < 500 ? 'invalid_argument' : 'internal');
}

/** Seconds for the header `Retry-After` (RFC 9110 section 10.2.3); undefined when a retry would not help. */
export function retryAfterOf({ code, retryAfterSeconds }: AppError): string | undefined {
  if (retryAfterSeconds !== undefined) return String(retryAfterSeconds);
  // Uses leave the hour that limits them minute by minute.
  if (code === 'use_limit') return '60';
  // An operator has to end it.
  if (code === 'vault_sealed') return '10';
  return code === 'unavailable' || code === 'rate_limited' ? '1' : undefined;
}
