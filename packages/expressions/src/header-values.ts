import { ExpressionList } from './expression-list.ts';
import { type Limits, defaultLimits } from './limits.ts';
import { type Template, parseTemplate, renderTemplate } from './template.ts';
import { Values } from './values.ts';

/** The expressions in header values, and the way to put their values in. */
export interface FoundInHeaders {
  /** The text between the braces, trimmed; distinct. */
  readonly expressions: readonly string[];
  /**
   * A new list with the values in place of their expressions. Nothing is said about whether a header may hold them.
   * @param values one JSON text for each of `expressions`, in their order
   */
  fill(values: readonly string[]): string[];
}

/**
 * Over configuration and over the request itself; in a header everything else is plain text
 * (contract/expressions.md#contexts).
 */
const evaluated = /^\s*(?:config:|proxy(?:[.[]|\s*(?:\||\}\})))/;

const headerLimits: Limits = { ...defaultLimits, maxFilledBytes: 32 * 1024 };

/**
 * Finds the expressions in header values that are evaluated there.
 *
 * @param headers flat list of names and values
 * @param limits of which `maxFilledBytes` is of each value with its expressions filled; a character is a byte there
 * @returns undefined when there is none
 * @throws ExpressionError whose position is the index of the header's name in the list
 */
export function findInHeaders(
  headers: readonly string[],
  limits: Limits = headerLimits,
): FoundInHeaders | undefined {
  const list = new ExpressionList(limits);
  const templates = new Map<number, Template>();
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const value = headers[at + 1]!;
    if (!value.includes('{{')) continue;
    const template = parseTemplate(value, list, at, evaluated);
    if (template.parts.length > 0) templates.set(at + 1, template);
  }
  if (templates.size === 0) return undefined;
  return {
    expressions: list.texts,
    fill: (jsons) => {
      const values = new Values(jsons);
      return headers.map((text, at) => {
        const template = templates.get(at);
        return template === undefined
          ? text
          : renderTemplate(template, values, limits.maxFilledBytes, at - 1);
      });
    },
  };
}
