/**
 * What a reactor formula declares its configuration and its request parameters to be (contract/reactors.md#formulas).
 */
export type DeclaredType = 'string' | 'boolean' | 'number';

export const declaredTypes: readonly DeclaredType[] = ['string', 'boolean', 'number'];

/** Decimal, as JSON and JavaScript write numbers; no hexadecimal, no separators. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The value of a text where a formula declares a type: a string is itself, a boolean is `true` or
 * `false`, a number is decimal and finite. Undefined when the text has no such value. One rule for those who store
 * configuration and those who hand it to code.
 */
export function parseDeclared(type: DeclaredType, text: string): string | boolean | number | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
