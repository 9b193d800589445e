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

  /**
   * The same error with other words for its problems, also where its message repeats one.
   * @param reword called with each problem and the path of its member
   */
  reworded(reword: (problem: string, path: string) => string): ApiError {
    const { status, code, docUrl: doc_url, traceId: trace_id } = this;
    let detail = this.message;
    const errors: Record<string, string[]> = {};
    for (const [path, list] of Object.entries(this.problems)) {
      errors[path] = [list].flat().map((problem) => {
        const said = reword(String(problem), path);
        detail = detail.replaceAll(String(problem), () => said);
        return said;
      });
    }
    return new ApiError(status, { detail, code, doc_url, trace_id, errors });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
