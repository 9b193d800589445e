import type { Transport } from './transport.ts';

/** The part of `fetch` that is used here. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
  readonly body?: string;
}

interface FetchResponse {
  readonly status: number;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  readonly body?: AsyncIterable<Uint8Array> | null;
  text(): Promise<string>;
}

export interface FetchTransportOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Until the whole response has arrived. */
  readonly timeoutMs: number;
  readonly fetch: Fetch;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests by `fetch`. Redirects are not followed: they would send the API key elsewhere. */
export function fetchTransport({ baseUrl, timeoutMs, fetch, headers }: FetchTransportOptions): Transport {
  return async (request) => {
    const { onText, signal } = request;
    const controller = new AbortController();
    const giveUp = () => controller.abort(new Error(`there was no answer within ${timeoutMs} ms`));
    const end = () => controller.abort(new Error('it was ended'));
    let timer = setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', end);
    try {
      const query = request.query === '' ? '' : `?${request.query}`;
      const response = await fetch(baseUrl + request.path + query, {
        method: request.method,
        headers: { ...headers, ...request.headers },
        redirect: 'manual',
        signal: controller.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      // Browsers hide everything about a redirect.
      if (response.status === 0) throw new Error('the answer was a redirect');
      const { status, body } = response;
      const head = { status, headers: headersOf(response) };
      if (onText === undefined || status !== 200 || !body) return { ...head, body: await response.text() };
      const decoder = new TextDecoder();
      for await (const chunk of body) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, timeoutMs);
        onText(decoder.decode(chunk, { stream: true }));
      }
      return { ...head, body: '' };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  };
}

function headersOf(response: FetchResponse): Record<string, string> {
  const entries: [string, string][] = [];
  response.headers.forEach((value, name) => entries.push([name, value]));
  return Object.fromEntries(entries);
}
