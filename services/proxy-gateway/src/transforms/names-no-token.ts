/** The vault reads a variable where the word ends or goes on with `.` or `[`, and with anything else the id of a token. */
const head = /^(?:config:|transform_identifier:|(?:proxy|res)(?:[.[]|\s*(?:\||$)))/;

/** Whether an expression of a transform is over something else than a token, for sure. */
export function namesNoToken(expression: string): boolean {
  return head.test(expression);
}
