/** The body of an error without what differs from request to request, to compare two of them. */
export function withoutTrace(text: string): string {
  return text.replace(/,"trace_id":"[^"]+"/, '');
}
