import type { TransportRequest, TransportResponse } from './transport.ts';

/** Of one warning: the request whose answer had it. */
export interface WarnedCall {
  readonly method: string;
  readonly path: string;
  /** Of the request, in the service's logs. */
  readonly traceId?: string;
}

export type OnWarning = (warning: string, call: WarnedCall) => void;

/** Hands on each warning of an answer. The call has been carried out already: it does not fail because `onWarning` throws. */
export function tellWarnings(
  { method, path }: TransportRequest,
  { headers }: TransportResponse,
  onWarning: OnWarning,
): void {
  const traceId = headers['svc-trace-id'];
  const call = { method, path, ...(traceId === undefined ? {} : { traceId }) };
  for (const warning of stringsOf(headers['svc-warning'] ?? '')) {
    try {
      onWarning(warning, call);
    } catch {
      // A caller that takes this for a failed call would repeat it.
    }
  }
}

/** Of a list of strings (RFC 9651 sections 3.1 and 3.3.3). */
function stringsOf(list: string): readonly string[] {
  return [...list.matchAll(/"((?:[^"\\]|\\["\\])*)"/g)].map(([, text = '']) =>
    text.replaceAll(/\\(["\\])/g, '$1'),
  );
}
