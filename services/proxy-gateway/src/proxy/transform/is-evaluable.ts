/**
 * A word is a variable if it ends there or goes on with `.` or `[`; otherwise the vault reads a token's id. The client
 * gets what is made of a response, so configuration and the detokenized request are not available there, nor, in what is
 * appended, anything that was encrypted.
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
