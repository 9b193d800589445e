import { ExpressionEvaluationError } from './expression-error.ts';
import { isJsonObject, type JsonValue } from './json-value.ts';
import { numberProblem } from './number-problem.ts';
import { compileTemplate, isTemplate, type TemplateVariables } from './template.ts';

/** Called with a snake_case JSON path and what is wrong there. */
export type Report = (path: string, message: string) => void;

const maxMaskDepth = 32;
const maxFingerprintLength = 400;
const maxSearchIndexLength = 400;

/** Reads every expression of a mask, so that one that is malformed is refused when the token is made (api-facts 4.1). */
export function validateMask(mask: JsonValue, maxBytes: number, path: string, report: Report): void {
  if (depthOf(mask) > maxMaskDepth) {
    report(path, `must not be nested deeper than ${String(maxMaskDepth)} levels`);
  } else if (Buffer.byteLength(JSON.stringify(mask)) > maxBytes) {
    report(path, `must not be larger than ${String(maxBytes)} bytes`);
  } else {
    validateNode(mask, path, report);
  }
}

function validateNode(node: JsonValue, path: string, report: Report): void {
  if (typeof node === 'string') {
    if (isTemplate(node)) validateExpression(node, ['data'], path, report);
  } else if (typeof node === 'number') {
    const problem = numberProblem(node);
    if (problem !== undefined) report(path, problem);
  } else if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) validateNode(item, `${path}[${String(index)}]`, report);
  } else if (isJsonObject(node)) {
    for (const [name, item] of Object.entries(node)) validateNode(item, `${path}.${name}`, report);
  }
}

/** Stops at the limit: what is deeper could not be walked safely. */
function depthOf(value: JsonValue, level = 0): number {
  if (typeof value !== 'object' || value === null || level > maxMaskDepth) return level;
  let deepest = level + 1;
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item, level + 1));
  return deepest;
}

export function validateFingerprintExpression(text: string, path: string, report: Report): void {
  if (text.length > maxFingerprintLength) {
    report(path, `must not be longer than ${String(maxFingerprintLength)} characters`);
  } else {
    validateExpression(text, ['data', 'metadata'], path, report);
  }
}

export function validateSearchIndex(text: string, path: string, report: Report): void {
  if (text.length > maxSearchIndexLength) {
    report(path, `must not be longer than ${String(maxSearchIndexLength)} characters`);
  } else {
    validateExpression(text, ['data'], path, report);
  }
}

export function validateAliasExpression(text: string, path: string, report: Report): void {
  validateExpression(text, ['data'], path, report);
}

function validateExpression(text: string, variables: TemplateVariables, path: string, report: Report): void {
  // Neither has a place in a Postgres text.
  if (text.includes('\0') || !text.isWellFormed())
    report(path, 'must not hold the character U+0000 or broken text');
  try {
    compileTemplate(text, variables);
  } catch (error) {
    if (!(error instanceof ExpressionEvaluationError)) throw error;
    report(path, error.message);
  }
}
