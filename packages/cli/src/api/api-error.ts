import { isObject } from './json.ts';

/** An answer that is not 2xx. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** For programs; `http_<status>` if the answer has none. */
  readonly code: string;
  readonly docUrl: string | undefined;
  readonly traceId: string | undefined;
  /** Problems by the path of the member. */
  readonly problems: Readonly<Record<string, unknown>>;

  constructor(status: number, body: unknown) {
    const outer = isObject(body) ? body : {};
    const error = isObject(outer['proxy_error']) ? outer['proxy_error'] : outer;
    super(textOf(error['detail']) ?? textOf(error['title']) ?? `the answer was ${status}`);
    this.status = status;
    this.code = textOf(error['code']) ?? `http_${status}`;
    this.docUrl = textOf(error['doc_url']);
    this.traceId = textOf(error['trace_id']);
    this.problems = isObject(error['errors']) ? error['errors'] : {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
