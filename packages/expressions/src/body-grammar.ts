import { isBinaryType } from './binary-types.ts';

/** How expressions are found in a body. */
export type BodyGrammar =
  /** `utf8` is false if the body is declared to be in a charset in which they cannot be replaced. */
  | { readonly kind: 'json' | 'form' | 'text'; readonly utf8: boolean }
  /** Each part by the grammar of its own content type. */
  | { readonly kind: 'multipart'; readonly boundary: string }
  /** Binary: there are none, whatever the bytes are. */
  | { readonly kind: 'none' };

/**
 * Chooses the grammar of a body by its content type. What is neither JSON nor a form nor multipart nor
 * known to be binary is text, also without a content type (contract/expressions.md#substitution).
 *
 * @param contentType value of the `Content-Type` header
 */
export function bodyGrammar(contentType: string | undefined): BodyGrammar {
  if (contentType === undefined) return { kind: 'text', utf8: true };
  return common.get(contentType) ?? read(contentType);
}

function read(contentType: string): BodyGrammar {
  const [essence, parameters] = readMediaType(contentType);
  if (isBinaryType(essence)) return { kind: 'none' };
  const boundary = parameters.get('boundary');
  if (essence.startsWith('multipart/') && boundary !== undefined && isBoundary(boundary)) {
    return { kind: 'multipart', boundary };
  }
  return { kind: kindOf(essence), utf8: isUtf8(parameters.get('charset')) };
}

/** What most clients send, so that it need not be taken apart for each request. */
const common: ReadonlyMap<string, BodyGrammar> = new Map(
  [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json;charset=UTF-8',
    'application/x-www-form-urlencoded',
  ].map((contentType) => [contentType, read(contentType)]),
);

function kindOf(essence: string): 'json' | 'form' | 'text' {
  if (essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json')) return 'json';
  return essence === 'application/x-www-form-urlencoded' ? 'form' : 'text';
}

/** ASCII is UTF-8 as long as it lasts, and a JSON or form body without a charset is UTF-8. */
function isUtf8(charset: string | undefined): boolean {
  return charset === undefined || /^(?:utf-?8|us-ascii|ascii)$/i.test(charset);
}

/** RFC 2046, section 5.1.1, but lenient about the characters. */
function isBoundary(boundary: string): boolean {
  return boundary.length >= 1 && boundary.length <= 70;
}

/** Type and subtype in lower case; parameters by lower-case name, the first of each (RFC 9110, 8.3). */
function readMediaType(contentType: string): readonly [string, ReadonlyMap<string, string>] {
  const semicolon = contentType.indexOf(';');
  const essence = semicolon === -1 ? contentType : contentType.slice(0, semicolon);
  const parameters = new Map<string, string>();
  const rest = semicolon === -1 ? '' : contentType.slice(semicolon);
  for (const [, name = '', quoted, token = ''] of rest.matchAll(
    /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g,
  )) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token.trim());
  }
  return [essence.trim().toLowerCase(), parameters];
}
