const head = /\{\{(?<named>\s*(?:config:|transform_identifier:|(?:proxy|res)(?:[.[]|\s*(?:\||\}\}))))?/g;

/**
 * What is wrong with the expressions in a transform's options, if anything. Their filters are read when they are
 * evaluated; a token that one of them named would be given away to whoever gets the response.
 */
export function expressionProblem(text: string): string | undefined {
  if (text.includes('{%')) return 'must not hold Liquid tags ({% … %})';
  for (const { index, groups } of text.matchAll(head)) {
    if (groups?.['named'] === undefined) {
      return 'may hold expressions over config:, proxy, res and transform_identifier: only';
    }
    if (!text.includes('}}', index)) return 'holds an expression that is not closed';
  }
  return undefined;
}
