import type { Operand } from './operand.ts';
import { type Template, compileTemplate } from './template.ts';

/** Where in a token's data an expression looks, as far as its text says: all of the data is the empty path. */
export type DataPath = readonly (string | number)[];

/**
 * Everything in `data` on which the value of an expression may depend. What stands below such a path counts as read, and
 * so do the arguments of filters. Where an index is itself a property, all that it may choose from is read.
 *
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
