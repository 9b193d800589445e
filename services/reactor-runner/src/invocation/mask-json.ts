import type { LeakPatterns } from '@glovebox/platform/redaction/leak-patterns';
import { LeakSearch } from '@glovebox/platform/redaction/leak-search';
import { overwritten } from '@glovebox/platform/redaction/overwrite';
import type { Found } from '@glovebox/platform/redaction/ranges';
import { sourcedJson } from '@glovebox/platform/values/sourced-json';

/**
 * A JSON text with `*` in place of each byte that was found in it. A number that holds such becomes a string.
 * @returns undefined if no JSON without them can be made of it
 */
export function maskJson(
  json: Uint8Array,
  found: readonly Found[],
  patterns: LeakPatterns,
): Buffer | undefined {
  const masked = overwritten(json, found);
  if (isJson(masked)) return masked;
  const mask = (text: string): string => {
    const bytes = Buffer.from(text);
    const within = new LeakSearch(patterns).push(bytes);
    return within.length === 0 ? text : overwritten(bytes, within).toString();
  };
  const rewritten = sourcedJson.parse(Buffer.from(json).toString(), (_name, value, { source }) => {
    if (typeof value === 'string') return mask(value);
    if (typeof value === 'number' && source !== undefined) return maskNumber(source, mask);
    return isObject(value) ? withMaskedNames(value, mask) : value;
  });
  const result = Buffer.from(JSON.stringify(rewritten));
  return new LeakSearch(patterns).push(result).length === 0 ? result : undefined;
}

function maskNumber(source: string, mask: (text: string) => string): unknown {
  const masked = mask(source);
  return masked === source ? sourcedJson.rawJSON(source) : masked;
}

function withMaskedNames(value: object, mask: (text: string) => string): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [mask(name), item]),
  );
}

/** Not a list, nor a number in its own digits. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
