import type { Operand } from './operand.ts';
import { type Template, compileTemplate } from './template.ts';

/** A path into a token's data; the empty path is all of it. */
export type DataPath = readonly (string | number)[];

/**
 * Everything in `data` that the value of an expression may depend on: whatever is below these paths, and the arguments of
 * filters. A dynamic index reads everything that it may select.
 * @throws ExpressionEvaluationError for a malformed expression
 */
export function pathsRead(text: string): readonly DataPath[] {
  return operandsOf(compileTemplate(text, ['data', 'metadata'])).flatMap(pathsOf);
}

function operandsOf({ parts }: Template): readonly Operand[] {
  return parts.flatMap((part) =>
    typeof part === 'string' ? [] : [part.initial, ...part.chain.steps.flatMap(({ args }) => args)],
  );
}

function pathsOf(operand: Operand): readonly DataPath[] {
  if (operand.kind === 'literal') return [];
  const { variable, steps } = operand;
  const chosen = steps.flatMap((step) => (typeof step === 'object' ? pathsOf(step) : []));
  if (variable !== 'data') return chosen;
  const path: (string | number)[] = [];
  for (const step of steps) {
    if (typeof step === 'object') break;
    path.push(step);
  }
  return [path, ...chosen];
}
