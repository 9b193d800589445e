/** The pairs of an `application/x-www-form-urlencoded` body as an object; a name that is repeated has an array. */
export function formObject(body: string): Record<string, string | string[]> {
  const object: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body)) {
    const known = object[name];
    if (known === undefined) object[name] = value;
    else if (typeof known === 'string') object[name] = [known, value];
    else known.push(value);
  }
  return object;
}

/**
 * The other way round. Null is an empty value.
 * @returns undefined for a value inside that no form can hold.
 */
export function formText(object: Readonly<Record<string, unknown>>): string | undefined {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(object)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const each of values) {
      if (typeof each === 'object' && each !== null) return undefined;
      pairs.append(name, typeof each === 'string' ? each : each === null ? '' : JSON.stringify(each));
    }
  }
  return pairs.toString();
}
