export type Side = 'request' | 'response';

/** A variable is one where its word ends or goes on with `.` or `[`; with anything else the vault reads a token's id. */
const heads: Readonly<Record<Side, RegExp>> = {
  request: /^\s*(?:config:|transform_identifier:|(?:proxy|res)(?:[.[]|\s*(?:\||$)))/,
  response: /^\s*(?:transform_identifier:|res(?:[.[]|\s*(?:\||$)))/,
};

const named: Readonly<Record<Side, string>> = {
  request: 'config:, proxy, res and transform_identifier:',
  response: 'res and transform_identifier:',
};

/** Longer ones are never evaluated. */
const maxLength = 1024;

/**
 * What is wrong with the expressions in a transform's options, if anything. Their filters are read when they are
 * evaluated. Whatever one of a response names is given to the caller: not configuration, nor the request's detokenized
 * data, and on no side a token.
 */
export function expressionProblem(text: string, side: Side): string | undefined {
  if (text.includes('{%')) return 'must not hold Liquid tags ({% … %})';
  for (let open = text.indexOf('{{'); open >= 0;) {
    const close = text.indexOf('}}', open);
    const expression = text.slice(open + 2, close < 0 ? undefined : close).slice(0, maxLength);
    if (side === 'response' && namesRequest(expression)) {
      return 'must not name config: or proxy, whose values the response would give to the caller';
    }
    if (!heads[side].test(expression)) return `may hold expressions over ${named[side]} only`;
    if (close < 0) return 'holds an expression that is not closed';
    open = text.indexOf('{{', open + 2);
  }
  return undefined;
}

/** In a path and in the arguments of filters too, but for quoted text and the name of what was made. */
function namesRequest(expression: string): boolean {
  if (/^\s*config:/.test(expression)) return true;
  const bare = expression.replace(/^\s*transform_identifier:[^|]*/, '').replace(/(["']).*?\1/gs, '');
  return /(?<![\w.-])proxy(?![\w-])/.test(bare);
}
