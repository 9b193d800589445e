import { Tokenizer } from 'liquidjs';
import { LRUCache } from 'lru-cache';

import { intentHead, intentRowId } from '../values/token-intent-id.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { type ExpressionLimits, checkLength, defaultExpressionLimits } from './expression-limits.ts';
import { checkFilters, compileFilterChain, type FilterChain } from './filter-chain.ts';
import { compileOperand, type Operand } from './operand.ts';
import { longestTokenId, reservedHead, tokenIdProblem } from './token-id-grammar.ts';

/** A token's data; with `token:` the whole token, with `token_intent:` an intent. */
export interface RowReference {
  readonly kind: 'data' | 'token' | 'intent';
  readonly id: string;
}

/** A configuration entry, the result of a transform, or a variable. */
export type Reference =
  | RowReference
  | { readonly kind: 'config' | 'made'; readonly name: string }
  | { readonly kind: 'variable'; readonly operand: Operand };

/** A detokenization expression, `{{ <token id> | <filter> … }}` (contract/expressions.md#forms). */
export interface DetokenizationExpression {
  readonly reference: Reference;
  readonly chain: FilterChain;
}

const chains = new LRUCache<string, FilterChain>({ max: 4000 });
const withoutFilters: FilterChain = { steps: [], scalarsAsText: false };

/**
 * Parses the text between the braces. The id ends at the first `|`. Filter chains are cached separately from the id,
 * because many tokens share a few chains.
 * @param variables the bound names
 */
export function parseExpression(
  text: string,
  variables: readonly string[] = [],
  limits: ExpressionLimits = defaultExpressionLimits,
): DetokenizationExpression {
  checkLength(text, limits);
  const pipe = text.indexOf('|');
  if (pipe < 0) return { reference: parseReference(text, variables), chain: withoutFilters };
  const reference = parseReference(text.slice(0, pipe), variables);
  const chain = chainOf(text.slice(pipe).trim(), variables, text.slice(0, pipe));
  checkFilters(chain, limits);
  return { reference, chain };
}

function parseReference(text: string, variables: readonly string[]): Reference {
  const head = text.trim();
  if (head.startsWith('token:')) return { kind: 'token', id: checkedId(head.slice('token:'.length).trim()) };
  if (head.startsWith(intentHead))
    return { kind: 'intent', id: intentId(head.slice(intentHead.length).trim()) };
  const reserved = reservedHead(head);
  if (reserved === 'config:') return { kind: 'config', name: head.slice(reserved.length).trim() };
  if (reserved === 'transform_identifier:') {
    return { kind: 'made', name: unquoted(head.slice(reserved.length).trim()) };
  }
  if (reserved !== undefined && variables.includes(reserved)) return parseVariable(head, variables);
  if (reserved !== undefined) {
    throw new ExpressionEvaluationError(`Expressions over ${reserved} are not supported here.`);
  }
  return { kind: 'data', id: checkedId(head) };
}

function parseVariable(head: string, variables: readonly string[]): Reference {
  const tokenizer = new Tokenizer(head);
  const token = readValue(tokenizer);
  if (token === undefined || head.slice(tokenizer.p).trim() !== '') {
    throw new ExpressionEvaluationError('The expression holds a property path that cannot be read.');
  }
  return { kind: 'variable', operand: compileOperand(token, variables) };
}

/** The library's errors quote the expression. */
function readValue(tokenizer: Tokenizer): ReturnType<Tokenizer['readValue']> {
  try {
    return tokenizer.readValue();
  } catch {
    return undefined;
  }
}

function unquoted(text: string): string {
  return /^(?<quote>["']).*\k<quote>$/s.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

function intentId(id: string): string {
  const rowId = intentRowId(id);
  if (rowId === undefined) throw new ExpressionEvaluationError('The expression names no token intent.');
  return rowId;
}

/** No token can have such an id, so nothing is looked up. */
function checkedId(id: string): string {
  if (id === '') throw new ExpressionEvaluationError('The expression names no token.');
  if (tokenIdProblem(id, longestTokenId) !== undefined) {
    throw new ExpressionEvaluationError('The expression does not begin with the id of a token.');
  }
  return id;
}

function chainOf(text: string, variables: readonly string[], head: string): FilterChain {
  const key = variables.length === 0 ? text : `${variables.join()} ${text}`;
  const known = chains.get(key);
  if (known) return known;
  const chain = compileFilterChain(new Tokenizer(text), variables, head);
  chains.set(key, chain);
  return chain;
}
