/** What every method rejects with when its call fails. */
export class GloveboxApiError extends Error {
  /** HTTP status of the answer; -1 when there was none. */
  readonly status: number;
  /**
   * The body of the answer, as a rule a problem: `{errors, title, status, detail, code, traceId, docUrl}`. In camelCase,
   * but as it came from `tokenize`, `detokenize`, `react` and `proxy`; text when it is no JSON.
   */
  readonly data: unknown;

  constructor(message: string, status: number, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.data = data;
  }

  static {
    // Of the prototype, so that the stack begins with it too.
    this.prototype.name = 'GloveboxApiError';
  }
}
