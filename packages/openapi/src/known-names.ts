/** Names that an object may have, each with those below it; null where any are taken, or where there is no object. */
export interface Names {
  readonly [name: string]: Names | null;
}

/** What an operation knows of a request. */
export interface KnownNames {
  /** Of its parameters; one that ends in `*` matches all names with that prefix. */
  readonly query: readonly string[];
  /** Null: anything, or there is no body. */
  readonly body: Names | null;
}

/** `POST /proxies/{}`: an operation, by whichever word its path calls the ids in it. @param path as `/proxies/{id}` or `/proxies/:id` */
export function operationKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}|:\w+/g, '{}')}`;
}

/** A name in a request that its operation does not know. */
export interface UnknownName {
  /** Where it is, as in `rules[0].permisions`. */
  readonly path: string;
  readonly name: string;
  /** The names that there are at its place. */
  readonly known: readonly string[];
}

/** Longer names are cut: they are the caller's. */
const longestName = 100;

/** Those in a JSON value, the first `most` of them. What is in free-form parts has none. */
export function unknownProperties(names: Names | null, value: unknown, most: number): UnknownName[] {
  const found: UnknownName[] = [];
  collect(names, value, '', most, found);
  return found;
}

function collect(
  names: Names | null,
  value: unknown,
  path: string,
  most: number,
  found: UnknownName[],
): void {
  if (names === null || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    // No list holds lists: whatever is in one that is sent is refused elsewhere.
    value.forEach((item, index) => {
      if (!Array.isArray(item)) collect(names, item, `${path}[${index}]`, most, found);
    });
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (found.length === most) return;
    const place = memberPath(path, name);
    if (!Object.hasOwn(names, name)) found.push({ path: place, name, known: Object.keys(names) });
    else collect(names[name] ?? null, member, place, most, found);
  }
}

/** The path of a member of the object at `path`, which is empty for the whole. */
export function memberPath(path: string, name: string): string {
  return `${path}${path === '' ? '' : '.'}${name.slice(0, longestName)}`;
}

/** Those in a query string, the first `most` of them. */
export function unknownParameters(
  known: readonly string[],
  query: URLSearchParams,
  most: number,
): UnknownName[] {
  const isKnown = (name: string) =>
    known.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
  const unknown = new Set<string>();
  for (const name of query.keys()) {
    if (unknown.size === most) break;
    if (!isKnown(name)) unknown.add(name);
  }
  const named = known.filter((name) => !name.endsWith('*'));
  return [...unknown].map((name) => ({ path: name.slice(0, longestName), name, known: named }));
}
