import { toSnakeCase } from './case.ts';

/**
 * The query string, without a question mark. Keys are renamed (by default to snake_case), arrays become repeated keys, nested
 * objects `key.name` with the name unchanged, and dates ISO 8601. Null and undefined are left out.
 */
export function queryOf(parameters: object | undefined, rename = toSnakeCase): string {
  return Object.entries(parameters ?? {})
    .flatMap(([key, value]: [string, unknown]) => pairs(encodeURIComponent(rename(key)), value))
    .join('&');
}

function pairs(key: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pairs(key, item));
  if (value instanceof Date) return [`${key}=${encodeURIComponent(value.toISOString())}`];
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([name, inner]) =>
      pairs(`${key}.${encodeURIComponent(name)}`, inner),
    );
  }
  return [`${key}=${encodeURIComponent(`${value as string | number | boolean}`)}`];
}
