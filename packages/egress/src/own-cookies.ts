/**
 * Where the names of this service's own cookies begin, as a browser reads a name: one that is empty counts for nothing.
 */
const ownName = /^[\s=]*__host-glovebox/i;
const anywhere = /__host-glovebox/i;

/** @param text of a Set-Cookie header, or one pair of a Cookie header (RFC 6265, 4.1.1 and 4.2.1) */
export function isOwnCookie(text: string): boolean {
  return ownName.test(text);
}

/**
 * A Cookie header without the cookies of this service.
 * @returns undefined when nothing is left
 */
export function withoutOwnCookies(value: string): string | undefined {
  if (!value.includes('__') || !anywhere.test(value)) return value;
  const others = value.split(';').filter((pair) => !isOwnCookie(pair));
  return others.length === 0 ? undefined : others.join(';').trimStart();
}
