/** A failed call. Every method rejects with it. */
export class GloveboxApiError extends Error {
  /** HTTP status of the response; -1 for no response. */
  readonly status: number;
  /**
   * The body of the response, usually a problem: `{errors, title, status, detail, code, traceId, docUrl}`. In camelCase,
   * except from `tokenize`, `detokenize`, `react` and `proxy`; text if it is not JSON.
   */
  readonly data: unknown;

  constructor(message: string, status: number, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.data = data;
  }

  static {
    // On the prototype, so that the stack begins with it too.
    this.prototype.name = 'GloveboxApiError';
  }
}
