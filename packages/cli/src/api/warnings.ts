import type { Answer } from './api.ts';

/** What `SVC-Warning` of an answer says: a list of strings (RFC 9651, section 3.1). */
export function warningsOf({ headers }: Answer): string[] {
  const listed = (headers.get('SVC-Warning') ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g);
  return [...listed].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
