export type Side = 'request' | 'response';

/** Where an expression occurs: in a token that one side creates, or in a value that is appended to the response. */
export type ExpressionPlace = Side | 'append';

/** A variable is one where its word ends or goes on with `.` or `[`; with anything else the vault reads a token's id. */
const heads: Readonly<Record<ExpressionPlace, RegExp>> = {
  request: /^\s*(?:config:|transform_identifier:|(?:proxy|res|encrypted)(?:[.[]|\s*(?:\||$)))/,
  response: /^\s*(?:transform_identifier:|(?:res|encrypted)(?:[.[]|\s*(?:\||$)))/,
  append: /^\s*(?:transform_identifier:|res(?:[.[]|\s*(?:\||$)))/,
};

const named: Readonly<Record<ExpressionPlace, string>> = {
  request: 'config:, proxy, encrypted, res and transform_identifier:',
  response: 'encrypted, res and transform_identifier:',
  append: 'res and transform_identifier:',
};

/**
 * What is wrong with the expressions in a transform's options, if anything. Their filters are read when they are
 * evaluated. Whatever one of a response names is given to the caller: not configuration, nor the request's detokenized
 * data, and on no side a token. Of what a client has encrypted only a token can be made: the response does not hold it.
 * @param maxLength of an expression
 */
export function expressionProblem(
  text: string,
  place: ExpressionPlace,
  maxLength: number,
): string | undefined {
  if (text.includes('{%')) return 'must not hold Liquid tags ({% … %})';
  for (let open = text.indexOf('{{'); open >= 0;) {
    const close = text.indexOf('}}', open);
    const whole = text.slice(open + 2, close < 0 ? undefined : close);
    const expression = whole.slice(0, maxLength);
    if (place === 'append' && names(expression, 'encrypted')) {
      return 'must not name encrypted, whose value the response would give to the caller';
    }
    if (place !== 'request' && namesRequest(expression)) {
      return 'must not name config: or proxy, whose values the response would give to the caller';
    }
    if (!heads[place].test(expression)) return `may hold expressions over ${named[place]} only`;
    if (close < 0) return 'holds an expression that is not closed';
    // Its end has not been checked.
    if (whole.length > maxLength) return `may hold expressions of at most ${maxLength} characters`;
    open = text.indexOf('{{', open + 2);
  }
  return undefined;
}

function namesRequest(expression: string): boolean {
  return /^\s*config:/.test(expression) || names(expression, 'proxy');
}

/** Also in a path and in the arguments of filters; quoted text and transform identifiers do not count. */
function names(expression: string, variable: 'proxy' | 'encrypted'): boolean {
  const bare = expression.replace(/^\s*transform_identifier:[^|]*/, '').replace(/(["']).*?\1/gs, '');
  return new RegExp(`(?<![\\w.-])${variable}(?![\\w-])`).test(bare);
}
