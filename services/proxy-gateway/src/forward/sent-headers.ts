/** What of the body decides about the headers that announce it. */
export interface SentBody {
  /** As the client announced it, or the size that detokenization made; undefined for a chunked body. */
  readonly contentLength: string | undefined;
  /** The client's Content-Encoding was undone and does not describe what is sent. */
  readonly decoded: boolean;
}

/**
 * Completes the headers that go to the destination: the body's length, the correlation id (api-facts section 1.8),
 * and no trace context of the client's, since the destination's span continues ours.
 */
export function sentHeaders(accepted: readonly string[], body: SentBody, correlationId: string): string[] {
  const headers: string[] = [];
  let traced = false;
  for (let at = 0; at + 1 < accepted.length; at += 2) {
    const name = accepted[at] as string;
    const lower = name.length > longestWatched ? '' : name.toLowerCase();
    if (lower === 'traceparent' || (body.decoded && lower === 'content-encoding')) continue;
    if (lower === 'svc-trace-id' || lower === 'bt-trace-id') {
      if (!traced) headers.push(name, correlationId);
      traced = true;
      continue;
    }
    headers.push(name, accepted[at + 1] as string);
  }
  if (!traced) headers.push('SVC-TRACE-ID', correlationId);
  if (body.contentLength !== undefined) headers.push('Content-Length', body.contentLength);
  return headers;
}

const longestWatched = 'content-encoding'.length;
