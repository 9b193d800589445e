import { formObject } from '@glovebox/egress/form-object';
import type { BodyGrammar } from '@glovebox/expressions/body-grammar';

/**
 * JSON text of a transform's `args`. The body is parsed by its content type, which for JSON means that its text is put
 * in as it is.
 *
 * @param others the members beside `body`, at least one
 * @param body undefined for a message without one, which has no such member; valid JSON where the grammar says JSON
 */
export function argsText(others: object, body: Buffer | undefined, grammar: BodyGrammar): Buffer {
  const rest = Buffer.from(JSON.stringify(others));
  if (body === undefined) return rest;
  const json = grammar.kind === 'form' ? Buffer.from(JSON.stringify(formObject(body.toString()))) : body;
  return Buffer.concat([head, json, comma, rest.subarray(1)]);
}

const head = Buffer.from('{"body":');
const comma = Buffer.from(',');
