import { Tokenizer } from 'liquidjs';
import { LRUCache } from 'lru-cache';

import { ExpressionEvaluationError } from './expression-error.ts';
import { compileFilterChain, type FilterChain } from './filter-chain.ts';
import { reservedHead, tokenIdProblem } from './token-id-grammar.ts';
import { intentHead, intentRowId } from './token-intent-id.ts';
import { maxExpressionLength } from './work.ts';

/** What stands before the filters: a token's data, with `token:` the whole token, or with `token_intent:` an intent. */
export interface Reference {
  readonly kind: 'data' | 'token' | 'intent';
  /** Of the row. */
  readonly id: string;
}

/** A detokenization expression, `{{ <token id> | <filter> … }}` (api-facts 4.4). */
export interface DetokenizationExpression {
  readonly reference: Reference;
  readonly chain: FilterChain;
}

const noVariables: readonly string[] = [];
const chains = new LRUCache<string, FilterChain>({ max: 4000 });
const withoutFilters: FilterChain = { steps: [], scalarsAsText: false };

/**
 * Reads the text between the braces. The id ends at the first `|`: ids are free text without it, and no Liquid names.
 * Chains are kept by their text, apart from the id: many tokens are used in the same few ways.
 */
export function parseExpression(text: string): DetokenizationExpression {
  if (text.length > maxExpressionLength) {
    throw new ExpressionEvaluationError(
      `An expression may have at most ${String(maxExpressionLength)} characters.`,
    );
  }
  const pipe = text.indexOf('|');
  if (pipe < 0) return { reference: parseReference(text), chain: withoutFilters };
  return { reference: parseReference(text.slice(0, pipe)), chain: chainOf(text.slice(pipe).trim()) };
}

function parseReference(text: string): Reference {
  const head = text.trim();
  if (head.startsWith('token:')) return { kind: 'token', id: checkedId(head.slice('token:'.length).trim()) };
  if (head.startsWith(intentHead))
    return { kind: 'intent', id: intentId(head.slice(intentHead.length).trim()) };
  const reserved = reservedHead(head);
  if (reserved !== undefined) {
    throw new ExpressionEvaluationError(`Expressions over ${reserved} are not supported here.`);
  }
  return { kind: 'data', id: checkedId(head) };
}

function intentId(id: string): string {
  const rowId = intentRowId(id);
  if (rowId === undefined) throw new ExpressionEvaluationError('The expression names no token intent.');
  return rowId;
}

/** No token can have such an id, so that a look-up would be in vain. */
function checkedId(id: string): string {
  if (id === '') throw new ExpressionEvaluationError('The expression names no token.');
  if (tokenIdProblem(id) !== undefined) {
    throw new ExpressionEvaluationError('The expression does not begin with the id of a token.');
  }
  return id;
}

function chainOf(text: string): FilterChain {
  const known = chains.get(text);
  if (known) return known;
  const chain = compileFilterChain(new Tokenizer(text), noVariables);
  chains.set(text, chain);
  return chain;
}
