import type { AppError, ErrorCode, FieldProblems } from './errors.ts';

/** The common error object (interface.md section 7; api-facts section 1.4; RFC 7807 members). */
export interface ErrorObject {
  readonly errors: FieldProblems;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

const table: Readonly<Record<ErrorCode, { readonly status: number; readonly title: string }>> = {
  invalid_argument: { status: 400, title: 'Bad Request' },
  strict: { status: 400, title: 'Bad Request' },
  unauthenticated: { status: 401, title: 'Unauthorized' },
  permission_denied: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not Found' },
  method_not_allowed: { status: 405, title: 'Method Not Allowed' },
  deadline_exceeded: { status: 408, title: 'Request Timeout' },
  conflict: { status: 409, title: 'Conflict' },
  too_large: { status: 413, title: 'Content Too Large' },
  unsupported_media_type: { status: 415, title: 'Unsupported Media Type' },
  unprocessable: { status: 422, title: 'Unprocessable Content' },
  rate_limited: { status: 429, title: 'Too Many Requests' },
  cancelled: { status: 499, title: 'Client Closed Request' },
  internal: { status: 500, title: 'Internal Server Error' },
  bad_gateway: { status: 502, title: 'Bad Gateway' },
  unavailable: { status: 503, title: 'Service Unavailable' },
};

/** HTTP status of an error code (RFC 9110 section 15). */
export function statusOf(code: ErrorCode): number {
  return table[code].status;
}

/** What the public is shown of an error. */
export function toErrorObject(error: AppError): ErrorObject {
  const { status, title } = table[error.code];
  return { errors: error.errors, title: error.title ?? title, status, detail: error.message };
}

/** Seconds for the header `Retry-After` (RFC 9110 section 10.2.3); undefined when trying again would not help. */
export function retryAfterOf({ code, retryAfterSeconds }: AppError): string | undefined {
  if (retryAfterSeconds !== undefined) return String(retryAfterSeconds);
  return code === 'unavailable' || code === 'rate_limited' ? '1' : undefined;
}
