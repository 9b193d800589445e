/** `fingerprintExpression` -> `fingerprint_expression`; a run of other characters becomes one underscore. */
export function toSnakeCase(key: string): string {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .replace(/[^\p{L}\d]+/gu, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
  return words === '' ? key : words;
}

/** `created_at` -> `createdAt`, `Name` -> `name`, `_extras` -> `extras`, `rules[0].container` -> `rules[0]Container`. */
export function toCamelCase(key: string): string {
  const words = key
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
    .replace(/^[_.\- ]+/, '')
    .toLowerCase()
    .replace(/[_.\- ]+([\p{L}\p{N}]|$)/gu, (_separators, first: string) => first.toUpperCase())
    .replace(/\d+\p{L}/gu, (numbered) => numbered.toUpperCase());
  return words === '' ? key : words;
}

/**
 * A deep copy of plain objects and arrays with converted keys. Other values are not copied.
 * @param untouched keys of the outermost object whose values stay unchanged
 */
export function renameKeys(
  value: unknown,
  rename: (key: string) => string,
  untouched: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (!isPlain(value)) return value;
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      untouched.includes(key) ? [key, inner] : [rename(key), renameKeys(inner, rename)],
    ),
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
