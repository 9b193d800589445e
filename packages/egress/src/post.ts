import type { Dispatcher } from 'undici';

/** What is sent; the time is in milliseconds, for all of it together with the answer. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly timeoutMs: number;
  /** Ends it earlier. */
  readonly signal?: AbortSignal;
}

/** Up to so much of an answer's body is read, so that the connection can be used again; a longer one ends it. */
const maxIgnoredBytes = 16 * 1024;

/**
 * Sends one POST and gives the status of its answer. The answer's body is ignored, and a redirect is a status like any
 * other.
 *
 * @param dispatcher a guarded one. Rejects with what `classifyEgressError` names.
 */
export async function post(dispatcher: Dispatcher, sent: Post): Promise<number> {
  const { url, headers, body, timeoutMs } = sent;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = sent.signal === undefined ? timeout : AbortSignal.any([timeout, sent.signal]);
  const response = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...headers },
    body,
    signal,
  });
  await response.body.dump({ limit: maxIgnoredBytes, signal }).catch(() => undefined);
  return response.statusCode;
}
