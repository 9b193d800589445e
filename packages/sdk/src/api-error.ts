/** What a failure of the service says about itself. Absent where the answer is another's, or there is none. */
export interface Occurrence {
  readonly code?: string;
  readonly traceId?: string;
  readonly docUrl?: string;
}

/** A failed call. Every method rejects with it. */
export class GloveboxApiError extends Error {
  /** HTTP status of the response; -1 for no response. */
  readonly status: number;
  /**
   * The body of the response, usually a problem: `{errors, title, status, detail, code, traceId, docUrl}`. In camelCase,
   * except from `tokenize`, `detokenize`, `react` and `proxy`; text if it is not JSON.
   */
  readonly data: unknown;
  /** Which failure it is, by a name that does not change; one of those at `/docs/errors`. */
  declare readonly code?: string;
  /** Of the request, in the service's logs; also when a proxy's destination has failed. */
  declare readonly traceId?: string;
  /** The page with the cause and the cure. */
  declare readonly docUrl?: string;

  constructor(message: string, status: number, data?: unknown, options: ErrorOptions & Occurrence = {}) {
    const { code, traceId, docUrl, ...own } = options;
    super(message, own);
    if (code !== undefined) this.code = code;
    if (traceId !== undefined) this.traceId = traceId;
    if (docUrl !== undefined) this.docUrl = docUrl;
    this.status = status;
    this.data = data;
  }

  static {
    // On the prototype, so that the stack begins with it too.
    this.prototype.name = 'GloveboxApiError';
  }
}
