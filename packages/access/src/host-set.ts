/**
 * Hosts prepared for `covers`: the texts of places that are named, and the ends of those below a wildcard, all with
 * their port. Immutable; created by `compileHosts`.
 */
export interface HostSet {
  /** Both, as `withPort` returns them. */
  readonly places: readonly string[];
  readonly named: ReadonlySet<string>;
  /** Each begins with a dot. */
  readonly ends: readonly string[];
}

/** @param patterns as `parseHostPattern` returns them */
export function compileHosts(patterns: readonly string[]): HostSet {
  const places = patterns.map(withPort);
  return {
    places,
    named: new Set(places.filter((place) => !place.startsWith('*'))),
    ends: places.filter((place) => place.startsWith('*')).map((place) => place.slice(1)),
  };
}

/**
 * Whether every host that `place` covers is among the hosts: the host of a request (`api.example.com:443`), or a
 * pattern with its port, of which every name has to be covered. Allocates nothing.
 */
export function covers({ named, ends }: HostSet, place: string): boolean {
  if (named.has(place)) return true;
  for (const end of ends) if (place.endsWith(end)) return true;
  return false;
}

/** The hosts that both cover. */
export function commonHosts(one: HostSet, other: HostSet): HostSet {
  const shared = one.places.filter((place) => covers(other, place));
  return compileHosts([...shared, ...other.places.filter((place) => covers(one, place))]);
}

/** A pattern as `covers` takes it: with its port also where that is 443. */
export function withPort(pattern: string): string {
  return /:\d+$/.test(pattern) ? pattern : `${pattern}:443`;
}

/** The place to which a URL of http or https leads: its host and port, in lower case and punycode. */
export function placeOf(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`;
}
