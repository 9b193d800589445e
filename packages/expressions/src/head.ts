/** What an expression names, before its filters (contract/expressions.md#forms). */
export interface Head {
  /**
   * Exact; may hold spaces and quotes, never `|`, `{` or `}` (contract/tokens.md#token-ids). Empty if none is named.
   */
  readonly tokenId: string;
  /** `{{ token: id }}` is the whole token object, `{{ id }}` its data. */
  readonly wholeToken: boolean;
  /** What follows the first `|`, trimmed; empty if there is no filter. */
  readonly filters: string;
}

const wholeTokenPrefix = 'token:';

/**
 * Reads the head of an expression, given as the text between its braces: everything before the first
 * `|`, trimmed, names the token. Quotes mean nothing there, because ids may contain them.
 */
export function headOf(expression: string): Head {
  const pipe = expression.indexOf('|');
  const named = (pipe === -1 ? expression : expression.slice(0, pipe)).trim();
  const wholeToken = named.startsWith(wholeTokenPrefix);
  return {
    tokenId: wholeToken ? named.slice(wholeTokenPrefix.length).trim() : named,
    wholeToken,
    filters: pipe === -1 ? '' : expression.slice(pipe + 1).trim(),
  };
}
