/**
 * The kind of a header, by its name alone:
 * - `forward`: any other
 * - `connection`: the Connection header, whose value names further hop-by-hop headers
 * - `hop`: belongs to one connection (RFC 9110, 7.6.1 and 11.7), never travels on
 * - `framing`: Host, Content-Length and Expect, which are the sender's own
 * - `service`: SVC-… or BT-…, to or from this service
 * - `trace`: the correlation id among those
 * - `cookie`: Cookie and Set-Cookie, which may name cookies of this service
 * - `origin`: in an answer it would apply to all of this service's origin
 */
export type HeaderKind =
  | 'forward'
  | 'connection'
  | 'hop'
  | 'framing'
  | 'service'
  | 'trace'
  | 'cookie'
  | 'origin';

const kindByLowerName: ReadonlyMap<string, HeaderKind> = new Map<string, HeaderKind>([
  ['connection', 'connection'],
  ['keep-alive', 'hop'],
  ['proxy-connection', 'hop'],
  ['proxy-authenticate', 'hop'],
  ['proxy-authorization', 'hop'],
  ['proxy-authentication-info', 'hop'],
  ['te', 'hop'],
  ['trailer', 'hop'],
  ['transfer-encoding', 'hop'],
  ['upgrade', 'hop'],
  ['http2-settings', 'hop'],
  ['host', 'framing'],
  ['content-length', 'framing'],
  ['expect', 'framing'],
  ['svc-trace-id', 'trace'],
  ['bt-trace-id', 'trace'],
  ['cookie', 'cookie'],
  ['set-cookie', 'cookie'],
  ['clear-site-data', 'origin'],
  ['service-worker-allowed', 'origin'],
]);

/** `content-length`, `Content-Length` and `CONTENT-LENGTH`: as the wire has most names. @param lower in lower case. */
export function commonSpellings(lower: string): string[] {
  return [lower, lower.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()), lower.toUpperCase()];
}

const kindByName: ReadonlyMap<string, HeaderKind> = new Map(
  [...kindByLowerName].flatMap(([lower, kind]) => commonSpellings(lower).map((name) => [name, kind])),
);

const dash = 0x2d;

/** Sets bit 5: a letter becomes lower case. */
function lower(code: number): number {
  return code | 0x20;
}

/** Which (length, first letter) pairs the names above have: most headers of a request are settled by one look here. */
const candidates = new Uint8Array(32 * 256);
for (const name of kindByLowerName.keys()) candidates[name.length * 256 + name.charCodeAt(0)] = 1;

function isServiceName(name: string): boolean {
  const first = lower(name.charCodeAt(0));
  if (first === 0x73) {
    return (
      lower(name.charCodeAt(1)) === 0x76 && lower(name.charCodeAt(2)) === 0x63 && name.charCodeAt(3) === dash
    );
  }
  return first === 0x62 && lower(name.charCodeAt(1)) === 0x74 && name.charCodeAt(2) === dash;
}

/** The kind of a header's name in any case. Runs for every header of every request: allocates only for listed names. */
export function kindOfHeader(name: string): HeaderKind {
  const { length } = name;
  if (length < 32 && candidates[length * 256 + (lower(name.charCodeAt(0)) & 0xff)] === 1) {
    const kind = kindByName.get(name) ?? kindByName.get(name.toLowerCase());
    if (kind !== undefined) return kind;
  }
  return isServiceName(name) ? 'service' : 'forward';
}

/** 1 for the characters that a request header's name may have: letters, digits, `-` and `_` (contract/proxies.md#forwarded-request). */
const nameCharacters = new Uint8Array(256);
for (const character of '-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') {
  nameCharacters[character.charCodeAt(0)] = 1;
}

/** True for a name that the proxy takes from a client; others are discarded. */
export function isAcceptedName(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (nameCharacters[name.charCodeAt(index)] !== 1) return false;
  }
  return name.length > 0;
}
