import { isUtf8 } from 'node:buffer';

import { bodyGrammar } from './body-grammar.ts';
import type { BodyGrammar } from './body-grammar.ts';
import { containsExpression } from './contains.ts';
import { ExpressionError } from './expression-error.ts';
import { ExpressionList } from './expression-list.ts';
import { findInForm } from './form.ts';
import { findInJson, searchJson } from './json.ts';
import { defaultLimits } from './limits.ts';
import type { Limits } from './limits.ts';
import { dashBoundary, partsOf } from './multipart.ts';
import { applyPatches } from './patch.ts';
import type { Patch } from './patch.ts';
import { findInText } from './text.ts';
import { Values } from './values.ts';

/** The expressions of one body, and the way to put their values in. */
export interface Found {
  /** The text between the braces, trimmed; distinct, in the order in which they first occur. */
  readonly expressions: readonly string[];
  /**
   * Makes the body with the values in place of their expressions; everything else is the same, byte for
   * byte. Without expressions it is the very body that was given.
   *
   * @param values one JSON text for each of `expressions`, in their order
   * @throws ExpressionError `too_large`, or `invalid_expression` if a value would break the body's form
   */
  fill(values: readonly string[]): Buffer;
}

/**
 * Finds every expression in a body. The body must not be changed until it is filled.
 *
 * @param anyJson whether a JSON body is read, and has to be JSON, even if it holds no `{{`
 * @throws ExpressionError if a body that holds `{{` cannot be read, or an expression in it; a body
 *   that holds none is not looked at any further
 */
export function findExpressions(
  grammar: BodyGrammar,
  body: Buffer,
  limits: Limits = defaultLimits,
  anyJson = false,
): Found {
  const list = new ExpressionList(limits);
  const patches =
    grammar.kind === 'multipart'
      ? findInParts(grammar.boundary, body, list)
      : find(grammar, body, list, 0, anyJson);
  return foundOf(grammar, body, list, patches);
}

/** A piece of JSON that takes about a millisecond. */
const pieceBytes = 256 * 1024;

/**
 * The same, of large JSON in pieces, so that it does not keep others waiting.
 *
 * @param goOn runs pieces until one returns false
 */
export function findInPieces(
  grammar: BodyGrammar,
  body: Buffer,
  limits: Limits,
  goOn: (piece: () => boolean) => Promise<void>,
): Found | Promise<Found> {
  if (grammar.kind !== 'json' || !grammar.utf8 || body.length <= pieceBytes || !isUtf8(body))
    return findExpressions(grammar, body, limits, true);
  const list = new ExpressionList(limits);
  const { patches, scan } = searchJson(body, list, 0);
  let until = 0;
  const piece = () => {
    until += pieceBytes;
    return scan.goOn(until);
  };
  return goOn(piece).then(() => foundOf(grammar, body, list, patches));
}

function foundOf(grammar: BodyGrammar, body: Buffer, list: ExpressionList, patches: readonly Patch[]): Found {
  return {
    expressions: list.texts,
    fill: (values) => {
      if (values.length !== list.texts.length)
        throw new TypeError('There must be one value for each expression');
      if (patches.length === 0) return body;
      const filled = applyPatches(body, patches, new Values(values), list.limits.maxFilledBytes);
      if (grammar.kind === 'multipart') refuseNewBoundaries(grammar.boundary, body, filled);
      return filled;
    },
  };
}

function find(
  grammar: Exclude<BodyGrammar, { kind: 'multipart' }>,
  body: Buffer,
  list: ExpressionList,
  base: number,
  anyJson = false,
): Patch[] {
  if (grammar.kind === 'none') return [];
  const read = anyJson && grammar.kind === 'json' && grammar.utf8;
  if (!read && !containsExpression(grammar, body)) return [];
  if (!grammar.utf8) {
    const message = 'Expressions are only replaced in UTF-8';
    throw new ExpressionError('unsupported_charset', message, base);
  }
  if (!isUtf8(body)) throw new ExpressionError('invalid_body', 'The body is not valid UTF-8', base);
  return finders[grammar.kind](body, list, base);
}

const finders = { json: findInJson, form: findInForm, text: findInText };

function findInParts(boundary: string, body: Buffer, list: ExpressionList): Patch[] {
  if (!containsExpression({ kind: 'multipart', boundary }, body)) return [];
  const patches: Patch[] = [];
  for (const { contentType, start, end } of partsOf(body, boundary)) {
    const grammar = bodyGrammar(contentType);
    const content = body.subarray(start, end);
    if (grammar.kind !== 'multipart') {
      for (const patch of find(grammar, content, list, start)) patches.push(patch);
    } else if (containsExpression(grammar, content)) {
      throw new ExpressionError('invalid_body', 'Expressions are not replaced in a multipart part', start);
    }
  }
  return patches;
}

/** A value must not end a part of the body and begin another. */
function refuseNewBoundaries(boundary: string, body: Buffer, filled: Buffer): void {
  const dashes = dashBoundary(boundary);
  if (count(filled, dashes) === count(body, dashes)) return;
  throw new ExpressionError('invalid_expression', 'A value holds the boundary of the multipart body', 0);
}

function count(body: Buffer, bytes: Buffer): number {
  let found = 0;
  for (let at = body.indexOf(bytes); at !== -1; at = body.indexOf(bytes, at + 1)) found += 1;
  return found;
}
