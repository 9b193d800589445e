import { expressionEnd } from './expression-end.ts';
import type { ExpressionList } from './expression-list.ts';
import type { Patch } from './patch.ts';

/**
 * Finds the expressions in plain text: each is replaced by its value's text as it is, nothing else changes by a byte
 * (contract/expressions.md#substitution).
 *
 * @param body valid UTF-8
 * @param base offset of `body` in what is patched
 */
export function findInText(body: Buffer, list: ExpressionList, base: number): Patch[] {
  const patches: Patch[] = [];
  // One character a byte, so that indexes are offsets; what delimits an expression is ASCII.
  const bytes = body.toString('latin1');
  for (let open = bytes.indexOf('{{'); open !== -1;) {
    const start = base + open;
    const close = expressionEnd(bytes, open, start);
    const reference = list.add(body.toString('utf8', open + 2, close), start);
    patches.push({ start, end: base + close + 2, fill: (values) => [values.at(reference).spelled('text')] });
    open = bytes.indexOf('{{', close + 2);
  }
  return patches;
}
