import { Tokenizer } from 'liquidjs';
import { LRUCache } from 'lru-cache';

import { textOf, type JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { type ExpressionLimits, type WorkBudget, checkLength, most } from './expression-limits.ts';
import { checkFilters, compileFilterChain, runFilterChain, type FilterChain } from './filter-chain.ts';
import { compileOperand, evaluateOperand, type Operand, type Variables } from './operand.ts';

/**
 * Text with `{{ data.… }}` expressions: masks, fingerprints, search indexes, alias ids
 * (contract/expressions.md#contexts).
 */
export interface Template {
  readonly parts: readonly (string | Statement)[];
}

interface Statement {
  readonly initial: Operand;
  readonly chain: FilterChain;
}

/** The bound names: `data` everywhere, `metadata` in fingerprints only (contract/expressions.md#contexts). */
export type TemplateVariables = readonly ('data' | 'metadata')[];

const templates = new LRUCache<string, Template>({ max: 4000 });

export function compileTemplate(text: string, allowed: TemplateVariables): Template {
  checkLength(text, most);
  const key = `${allowed.join()}:${text}`;
  const known = templates.get(key);
  if (known) return known;
  const template = { parts: readParts(text, allowed) };
  templates.set(key, template);
  return template;
}

/** Checks a template from a request. @throws ExpressionEvaluationError for a malformed one, or one beyond a limit */
export function checkTemplate(text: string, allowed: TemplateVariables, limits: ExpressionLimits): void {
  checkLength(text, limits);
  for (const part of compileTemplate(text, allowed).parts) {
    if (typeof part !== 'string') checkFilters(part.chain, limits);
  }
}

export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

/** A single expression keeps the type of its value; surrounding text or several expressions make it text. */
export function evaluateTemplate({ parts }: Template, variables: Variables, work: WorkBudget): JsonValue {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') {
    return evaluateStatement(only, variables, work);
  }
  let text = '';
  for (const part of parts) {
    text += typeof part === 'string' ? part : textOf(evaluateStatement(part, variables, work));
  }
  return text;
}

function evaluateStatement({ initial, chain }: Statement, variables: Variables, work: WorkBudget): JsonValue {
  const value = runFilterChain(chain, evaluateOperand(initial, variables, work), variables, work);
  work.spendOn(value);
  return value;
}

function readParts(text: string, allowed: readonly string[]): (string | Statement)[] {
  const parts: (string | Statement)[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{{', at);
    const literal = open < 0 ? text.slice(at) : text.slice(at, open);
    if (literal.includes('{%'))
      throw new ExpressionEvaluationError('Liquid tags ({% … %}) are not supported.');
    if (literal !== '') parts.push(literal);
    if (open < 0) break;
    const close = findClose(text, open + 2);
    parts.push(compileStatement(text.slice(open + 2, close), allowed));
    at = close + 2;
  }
  return parts.length === 0 ? [''] : parts;
}

/** Skips braces inside quotes. */
function findClose(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '}' && text.charAt(at + 1) === '}') return at;
  }
  throw new ExpressionEvaluationError('The expression has an unclosed "{{".');
}

function compileStatement(text: string, allowed: readonly string[]): Statement {
  const tokenizer = new Tokenizer(text);
  let token: ReturnType<Tokenizer['readValue']>;
  try {
    token = tokenizer.readValue();
  } catch {
    token = undefined;
  }
  if (!token) throw new ExpressionEvaluationError('The expression does not begin with a value.');
  const initial = compileOperand(token, allowed);
  return { initial, chain: compileFilterChain(tokenizer, allowed) };
}
