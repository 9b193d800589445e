import { isJsonObject, type JsonValue } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import type { ExpressionLimits } from './expression-limits.ts';
import { numberProblem } from './number-problem.ts';
import { checkTemplate, isTemplate, type TemplateVariables } from './template.ts';

export interface MaskLimits {
  readonly maskBytes: number;
  readonly maskNesting: number;
  readonly expressions: ExpressionLimits;
}

/** Refuses malformed expressions of a mask when the token is created (contract/expressions.md#language). */
export function validateMask(mask: JsonValue, limits: MaskLimits, path: string, report: ReportProblem): void {
  const { maskBytes: maxBytes, maskNesting } = limits;
  if (depthOf(mask, maskNesting) > maskNesting) {
    report(path, `must not be nested deeper than ${String(maskNesting)} levels`);
  } else if (Buffer.byteLength(JSON.stringify(mask)) > maxBytes) {
    report(path, `must not be larger than ${String(maxBytes)} bytes`);
  } else {
    validateNode(mask, limits.expressions, path, report);
  }
}

function validateNode(node: JsonValue, limits: ExpressionLimits, path: string, report: ReportProblem): void {
  if (typeof node === 'string') {
    if (isTemplate(node)) validateExpression(node, ['data'], limits, path, report);
  } else if (typeof node === 'number') {
    const problem = numberProblem(node);
    if (problem !== undefined) report(path, problem);
  } else if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) {
      validateNode(item, limits, `${path}[${String(index)}]`, report);
    }
  } else if (isJsonObject(node)) {
    for (const [name, item] of Object.entries(node)) validateNode(item, limits, `${path}.${name}`, report);
  }
}

/** Stops at the limit: deeper values could not be walked safely. */
function depthOf(value: JsonValue, deepestAllowed: number, level = 0): number {
  if (typeof value !== 'object' || value === null || level > deepestAllowed) return level;
  let deepest = level + 1;
  for (const item of Object.values(value))
    deepest = Math.max(deepest, depthOf(item, deepestAllowed, level + 1));
  return deepest;
}

export function validateFingerprintExpression(
  text: string,
  limits: ExpressionLimits,
  path: string,
  report: ReportProblem,
): void {
  if (isShort(text, limits, path, report)) {
    validateExpression(text, ['data', 'metadata'], limits, path, report);
  }
}

export function validateSearchIndex(
  text: string,
  limits: ExpressionLimits,
  path: string,
  report: ReportProblem,
): void {
  if (isShort(text, limits, path, report)) validateExpression(text, ['data'], limits, path, report);
}

function isShort(
  text: string,
  { indexLength }: ExpressionLimits,
  path: string,
  report: ReportProblem,
): boolean {
  if (text.length <= indexLength) return true;
  report(path, `must not be longer than ${String(indexLength)} characters`);
  return false;
}

export function validateAliasExpression(
  text: string,
  limits: ExpressionLimits,
  path: string,
  report: ReportProblem,
): void {
  validateExpression(text, ['data'], limits, path, report);
}

function validateExpression(
  text: string,
  variables: TemplateVariables,
  limits: ExpressionLimits,
  path: string,
  report: ReportProblem,
): void {
  // Postgres cannot store either.
  if (text.includes('\0') || !text.isWellFormed())
    report(path, 'must not hold the character U+0000 or broken text');
  try {
    checkTemplate(text, variables, limits);
  } catch (error) {
    if (!(error instanceof ExpressionEvaluationError)) throw error;
    report(path, error.message);
  }
}
