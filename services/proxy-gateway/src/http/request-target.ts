/** A request target (RFC 9112 section 3.2) in its raw spelling. */
export interface RequestTarget {
  /** Starts with a slash. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
}

const absoluteForm = /^https?:\/\/[^/?#]*/i;

export function parseRequestTarget(url: string): RequestTarget {
  const origin = url.startsWith('/') ? url : url.replace(absoluteForm, '');
  const mark = origin.indexOf('?');
  const path = mark < 0 ? origin : origin.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : origin.slice(mark + 1) };
}
