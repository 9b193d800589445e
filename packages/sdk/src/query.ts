import { toSnakeCase } from './case.ts';

/**
 * The query string, without a question mark: keys renamed (by default to snake_case), arrays as repeated keys, nested objects as `key.name`
 * with the name as it is, dates as ISO 8601. What is null or undefined is left out.
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
