import { AppError } from '@glovebox/platform/errors/app-error';

import type { JsonObject, JsonValue } from '../values/json-value.ts';

export interface TokenizeLeaf {
  /** Its path, such as `cards[0]`; empty for the whole body. */
  readonly path: string;
  readonly request: JsonObject;
  /** What replaces it: a request becomes the token, a plain value the token's id (contract/tokens.md#tokenize). */
  readonly becomes: 'token' | 'id';
}

export interface TokenizeTree {
  readonly leaves: readonly TokenizeLeaf[];
  /** The body with every leaf replaced; `results` are in the order of `leaves`. */
  readonly fill: (results: readonly JsonValue[]) => JsonValue;
}

/**
 * Finds what to tokenize: objects with `type` and `data` or `encrypted`, and every string, number and boolean
 * outside of them. Null stays. Keys are snake_case only, as on `POST /tokens`.
 */
export function readTokenizeTree(body: JsonValue, limits: TreeLimits): TokenizeTree {
  // Existing clients cannot take a bare null as an answer (contract/conventions.md#json).
  if (body === null) throw new AppError('invalid_argument', 'There is nothing to tokenize in null.');
  const leaves: Leaves = { ...limits, found: [] };
  const root = readNode(body, '', 0, leaves);
  return { leaves: leaves.found, fill: (results) => fillNode(root, results) };
}

export interface TreeLimits {
  readonly tokens: number;
  /** Of objects and arrays around requests; the data of a token has its own limit. */
  readonly nesting: number;
}

interface Leaves extends TreeLimits {
  readonly found: TokenizeLeaf[];
}

type Node =
  | { readonly kind: 'leaf'; readonly index: number }
  | { readonly kind: 'null' }
  | { readonly kind: 'array'; readonly items: readonly Node[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, node: Node])[] };

function readNode(value: JsonValue, path: string, level: number, leaves: Leaves): Node {
  if (value === null) return { kind: 'null' };
  if (typeof value !== 'object') {
    return addLeaf({ path, request: { type: 'token', data: value }, becomes: 'id' }, leaves);
  }
  if (level > leaves.nesting) {
    throw new AppError(
      'invalid_argument',
      `The body must not be nested deeper than ${String(leaves.nesting)} levels.`,
    );
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => readNode(item, `${path}[${String(index)}]`, level + 1, leaves));
    return { kind: 'array', items };
  }
  if (Object.hasOwn(value, 'type') && (Object.hasOwn(value, 'data') || Object.hasOwn(value, 'encrypted'))) {
    return addLeaf({ path, request: value, becomes: 'token' }, leaves);
  }
  const members = Object.entries(value).map(
    ([name, item]) => [name, readNode(item, memberPath(path, name), level + 1, leaves)] as const,
  );
  return { kind: 'object', members };
}

function addLeaf(leaf: TokenizeLeaf, { found, tokens: max }: Leaves): Node {
  if (found.length === max) {
    throw new AppError('invalid_argument', `At most ${String(max)} values can be tokenized in one request.`);
  }
  found.push(leaf);
  return { kind: 'leaf', index: found.length - 1 };
}

function memberPath(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function fillNode(node: Node, results: readonly JsonValue[]): JsonValue {
  if (node.kind === 'null') return null;
  if (node.kind === 'leaf') return resultOf(node.index, results);
  if (node.kind === 'array') return node.items.map((item) => fillNode(item, results));
  return Object.fromEntries(node.members.map(([name, item]) => [name, fillNode(item, results)]));
}

function resultOf(index: number, results: readonly JsonValue[]): JsonValue {
  const result = results[index];
  if (result === undefined) throw new Error('there are fewer results than leaves');
  return result;
}
