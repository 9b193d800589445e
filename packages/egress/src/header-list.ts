import { AppError } from '@glovebox/platform/errors/app-error';
import { isJsonObject } from '@glovebox/platform/values/json-object';

/** Flat lists of names and values, as headers are on the wire. */
type HeaderList = readonly string[];

/** These describe the bytes of a body that came, not those of the body that goes out. */
export const framingHeaders: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'host',
  'expect',
]);

/** @param names in lower case */
export function withoutHeaders(headers: HeaderList, names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]!;
    if (!names.has(name.toLowerCase())) kept.push(name, headers[at + 1]!);
  }
  return kept;
}

/** Of the first header with this name. @param name in lower case */
export function valueOf(headers: HeaderList, name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (headers[at]!.toLowerCase() === name) return headers[at + 1];
  }
  return undefined;
}

/** RFC 9110 section 5.6.2, a token. */
const namePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/;
/** RFC 9110 section 5.5: visible characters, spaces and tabs; above ASCII one character is one byte. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;
export function isHeaderValue(text: string): boolean {
  return valuePattern.test(text);
}

/**
 * The headers that code returned, as a flat list. Of names that differ in their case only, the last one counts: that is
 * what adding to a copy of the received ones means. An array is that many lines of one header; null and undefined are
 * none.
 * @param maxBytes of all of them: as much as a client may send
 * @param said how an error begins, e.g. `The request transform returned`
 * @throws AppError `internal` that says which of them HTTP cannot carry; never its value, nor a name that may be a
 * secret
 */
export function readHeaders(headers: unknown, maxBytes: number, said: string): string[] {
  if (headers === undefined || headers === null) return [];
  if (!isJsonObject(headers)) refuse(said, 'headers that are not an object');
  const last = new Map<string, string[]>();
  let length = 0;
  let number = 0;
  for (const [name, value] of Object.entries(headers)) {
    number += 1;
    const lines = linesOf(name, value, number, said);
    length += lines.reduce((sum, line) => sum + line.length + 4, 0);
    last.delete(name.toLowerCase());
    last.set(name.toLowerCase(), lines);
  }
  if (length > maxBytes) refuse(said, `headers of more than ${maxBytes} bytes`);
  return [...last.values()].flat();
}

/** Name and value of each line. */
function linesOf(name: string, value: unknown, number: number, said: string): string[] {
  if (!namePattern.test(name)) refuse(said, `a header whose name is not valid: its number ${number}`);
  if (value === null) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((line) => {
    const text = typeof line === 'number' ? String(line) : line;
    if (typeof text !== 'string')
      refuse(said, `a header ${label(name, number)} that is neither text nor a number nor a list of them`);
    if (!valuePattern.test(text))
      refuse(said, `a header ${label(name, number)} with characters that HTTP cannot carry`);
    return [name, text];
  });
}

const commonNames: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'cache-control',
  'content-disposition',
  'content-type',
  'cookie',
  'location',
  'set-cookie',
  'user-agent',
  'x-api-key',
  'x-forwarded-for',
  'x-request-id',
]);

/** Code may have taken a secret for a name. What is shorter than six characters passes for none. */
function label(name: string, number: number): string {
  return name.length < 6 || commonNames.has(name.toLowerCase()) ? name : `(its number ${number})`;
}

function refuse(said: string, found: string): never {
  throw new AppError('internal', `${said} ${found}.`);
}
