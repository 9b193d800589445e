/** One HTTP request, relative to the address of the API. */
export interface TransportRequest {
  readonly method: string;
  /** Starts with a slash, percent-encoded. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Gets the text of a successful answer as it arrives; its `body` is empty then. A transport need not know it. */
  readonly onText?: (text: string) => void;
  /** Ends a request whose answer arrives in this way. */
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for no body. */
  readonly body: string;
}

/** Sends a request and resolves to the response, whatever its status. Rejects when there is none. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
