export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [name: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parser's result, with a type. @throws SyntaxError */
export function parseJson(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

/** A member by its name; nothing of the prototype. */
export function own(object: JsonObject, name: string | number): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A value inside longer text (contract/expressions.md#substitution): null is empty, objects are compact JSON. */
export function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}
