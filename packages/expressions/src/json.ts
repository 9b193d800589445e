import type { ExpressionList } from './expression-list.ts';
import type { Patch } from './patch.ts';
import { JsonScan } from './scan-json.ts';
import { onlyReference, parseTemplate, spellTemplate } from './template.ts';

/**
 * Finds the expressions in the string values of a JSON body; names of members are never evaluated. A
 * string that is one expression and nothing else becomes the value's JSON, whatever its type; among
 * other text the value becomes text, and the whole stays one string (contract/expressions.md#substitution). Nothing
 * else of the body changes by a byte.
 *
 * @param body valid UTF-8
 * @param base offset of `body` in what is patched
 */
export function findInJson(body: Buffer, list: ExpressionList, base: number): Patch[] {
  const { patches, scan } = searchJson(body, list, base);
  scan.goOn(Number.POSITIVE_INFINITY);
  return patches;
}

/** The same, piece by piece: the patches are there when the scan has come to its end. */
export function searchJson(
  body: Buffer,
  list: ExpressionList,
  base: number,
): { readonly patches: Patch[]; readonly scan: JsonScan } {
  const patches: Patch[] = [];
  const scan = new JsonScan(body, list.limits.maxDepth, (start, end) => {
    patches.push(patchOf(decodeString(body.toString('utf8', start, end)), base + start, base + end, list));
  });
  return { patches, scan };
}

function patchOf(text: string, start: number, end: number, list: ExpressionList): Patch {
  const template = parseTemplate(text, list, start);
  const only = onlyReference(template);
  return {
    start,
    end,
    fill: (values) =>
      only === null
        ? [quote, ...spellTemplate(template, values, 'string'), quote]
        : [values.at(only).spelled('json')],
  };
}

const quote = Buffer.from('"');

/** @param literal a JSON string that was checked, with its quotes */
function decodeString(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}
