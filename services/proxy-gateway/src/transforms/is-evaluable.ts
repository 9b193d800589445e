import type { Side } from './read-result.ts';

/**
 * A variable is one where the word ends or goes on with `.` or `[`; with anything else the vault reads a token's id.
 * What is made of a response reaches whoever has sent the request, so that neither configuration nor the request, which
 * holds detokenized data, is there.
 */
const heads: Readonly<Record<Side, RegExp>> = {
  request: /^(?:config:|transform_identifier:|(?:proxy|res)(?:[.[]|\s*(?:\||$)))/,
  response: /^(?:transform_identifier:|res(?:[.[]|\s*(?:\||$)))/,
};

/** Whether an expression of a transform is over what its side may use: never a token. */
export function isEvaluable(expression: string, side: Side): boolean {
  return heads[side].test(expression);
}
