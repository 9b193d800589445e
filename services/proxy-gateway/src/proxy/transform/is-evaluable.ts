/**
 * A variable is one where the word ends or goes on with `.` or `[`; with anything else the vault reads a token's id.
 * What is made of a response reaches whoever has sent the request, so that neither configuration nor the request, which
 * holds detokenized data, is there; and what is appended to it holds nothing that somebody has encrypted.
 */
const heads = {
  request: /^(?:config:|transform_identifier:|(?:proxy|res|encrypted)(?:[.[]|\s*(?:\||$)))/,
  response: /^(?:transform_identifier:|(?:res|encrypted)(?:[.[]|\s*(?:\||$)))/,
  append: /^(?:transform_identifier:|res(?:[.[]|\s*(?:\||$)))/,
} as const satisfies Readonly<Record<string, RegExp>>;

/** A token that is made before or after the destination has answered, or what is appended to its answer. */
export type OptionsPlace = keyof typeof heads;

/** Whether an expression of a transform is over what may be used there: never a token. */
export function isEvaluable(expression: string, place: OptionsPlace): boolean {
  return heads[place].test(expression);
}
