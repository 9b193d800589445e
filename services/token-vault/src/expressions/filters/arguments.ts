import type { JsonValue } from '../../values/json-value.ts';
import { maxGrownLength } from '../expression-limits.ts';
import { failed } from './filter.ts';

/** A number of characters, as a number or its digits. */
export function countArgument(
  filter: string,
  name: string,
  value: JsonValue | undefined,
  fallback?: number,
): number {
  if (value === undefined && fallback !== undefined) return fallback;
  const count = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= maxGrownLength)
    return count;
  throw failed(filter, `${name} must be a whole number from 0 to ${String(maxGrownLength)}`);
}

export function textArgument(
  filter: string,
  name: string,
  value: JsonValue | undefined,
  fallback?: string,
): string {
  if (value === undefined && fallback !== undefined) return fallback;
  if (typeof value === 'string') return value;
  throw failed(filter, `${name} must be text`);
}

export function characterArgument(
  filter: string,
  name: string,
  value: JsonValue | undefined,
  fallback?: string,
): string {
  const text = typeof value === 'number' ? String(value) : textArgument(filter, name, value, fallback);
  if (text.length === 1 || (text.length === 2 && text.codePointAt(0)! > 0xffff)) return text;
  throw failed(filter, `${name} must be one character`);
}

/** The vendor's documentation quotes them: `'true'`. */
export function flagArgument(filter: string, name: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw failed(filter, `${name} must be true or false`);
}
