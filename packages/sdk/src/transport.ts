/** One HTTP request, relative to the address of the API. */
export interface TransportRequest {
  readonly method: string;
  /** Starts with a slash, percent-encoded. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when there is none. */
  readonly body: string;
}

/** Sends a request and resolves to its answer, whatever the status; rejects when there is no answer. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
