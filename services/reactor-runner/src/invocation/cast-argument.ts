import { kindOf } from '@glovebox/expressions/json-walk';
import { type DeclaredType, parseDeclared } from '@glovebox/published/declared-type';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Casts an argument to the type that its parameter declares (contract/reactors.md#arguments).
 * Digits stay as they are written, so that numbers keep more precision than JavaScript has.
 *
 * @param json one value as JSON text
 * @returns the same; undefined when the cast is impossible
 */
export function castArgument(type: DeclaredType, json: string): string | undefined {
  switch (type) {
    case 'string':
      return toText(json);
    case 'boolean':
      return toBoolean(json);
    case 'number':
      return toNumber(json);
    default:
      return type satisfies never;
  }
}

function toText(json: string): string | undefined {
  const kind = kindOf(json);
  if (kind === 'string') return json;
  return kind === 'number' || kind === 'boolean' ? `"${json}"` : undefined;
}

function toBoolean(json: string): string | undefined {
  const kind = kindOf(json);
  if (kind === 'boolean') return json;
  const value = kind === 'string' ? parseDeclared('boolean', textOf(json)) : undefined;
  return value === undefined ? undefined : String(value);
}

function toNumber(json: string): string | undefined {
  const kind = kindOf(json);
  if (kind !== 'number' && kind !== 'string') return undefined;
  const text = kind === 'string' ? textOf(json) : json;
  const value = parseDeclared('number', text);
  if (value === undefined) return undefined;
  // A string may spell a number as JavaScript does: `+1`, `.5`, `007`.
  return jsonNumber.test(text) ? text : String(value);
}

/** @param json JSON text of a string */
function textOf(json: string): string {
  return JSON.parse(json);
}
