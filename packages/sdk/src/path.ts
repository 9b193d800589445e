/**
 * A path with ids filled in, each percent-encoded: path`/tokens/${id}`.
 * @throws TypeError for an invalid id: an empty one would address the collection, `.` and `..` another path
 */
export function path(texts: TemplateStringsArray, ...ids: string[]): string {
  return texts.reduce((sum, text, at) => sum + segment(ids[at - 1]) + text);
}

function segment(id: unknown): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
    throw new TypeError(`An id is expected, not ${JSON.stringify(id)}.`);
  }
  return encodeURIComponent(id);
}

/**
 * The path of a proxy invocation, below `/proxy`. @param bare the path when the caller gives none
 * @throws TypeError for a path that leads out of `/proxy`
 */
export function proxyPath(given: string | undefined, bare: string): string {
  if (given === undefined || given === '') return bare;
  const escaped = given.replaceAll('?', '%3F').replaceAll('#', '%23');
  const segments = escaped.replaceAll('\\', '/').split('/');
  if (segments.some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) {
    throw new TypeError('The path of a proxy request must have no segments "." or "..".');
  }
  return `/proxy${escaped.startsWith('/') ? '' : '/'}${escaped}`;
}
