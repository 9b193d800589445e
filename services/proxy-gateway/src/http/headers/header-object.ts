/** A header's value as code sees it; an array only where values cannot be joined. */
export type HeaderObject = Record<string, string | string[]>;

/**
 * Headers as an object: names as they were spelled first, repeated ones joined (RFC 9110 section 5.3; Cookie by RFC
 * 9113 section 8.2.3), and an array for Set-Cookie if it is repeated, since its values cannot be joined.
 *
 * @param raw flat list of names and values
 */
export function headerObject(raw: readonly string[]): HeaderObject {
  const object: HeaderObject = Object.create(null);
  const spelled = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!;
    const value = raw[at + 1]!;
    const lower = name.toLowerCase();
    const first = spelled.get(lower);
    if (first === undefined) {
      spelled.set(lower, name);
      object[name] = value;
    } else {
      object[first] = joined(lower, object[first]!, value);
    }
  }
  return object;
}

function joined(lower: string, known: string | string[], value: string): string | string[] {
  if (typeof known !== 'string') return [...known, value];
  if (lower === 'set-cookie') return [known, value];
  return `${known}${lower === 'cookie' ? '; ' : ', '}${value}`;
}
