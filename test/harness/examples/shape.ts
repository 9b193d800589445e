/**
 * Where an answer has not the shape that its documented example shows: another type, a member too few or too many. Arrays
 * of the same length are compared element by element; one that is longer must hold each that the example shows.
 *
 * @param free names of objects whose members depend on what happened
 * @returns a sentence for each difference, with the path of the member
 */
export function shapeDifferences(
  example: unknown,
  answer: unknown,
  free: ReadonlySet<string> = new Set(),
  path = '',
): string[] {
  const [wanted, found] = [typeOf(example), typeOf(answer)];
  if (wanted !== found) return [`${path || 'the whole'} is ${found}, and shown as ${wanted}`];
  if (Array.isArray(example)) return arrayDifferences(example, answer as unknown[], free, path);
  if (wanted !== 'object') return [];
  const [shown, given] = [example, answer] as [Members, Members];
  return [...new Set([...Object.keys(shown), ...Object.keys(given)])].flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(given, name)) return [`${at} is shown, and not answered`];
    if (!Object.hasOwn(shown, name)) return [`${at} is answered, and not shown`];
    const isOpen = free.has(name) && typeOf(shown[name]) === 'object' && typeOf(given[name]) === 'object';
    return isOpen ? [] : shapeDifferences(shown[name], given[name], free, at);
  });
}

type Members = Readonly<Record<string, unknown>>;

function arrayDifferences(
  example: readonly unknown[],
  answer: readonly unknown[],
  free: ReadonlySet<string>,
  path: string,
): string[] {
  return example.flatMap((shown, index) => {
    const at = `${path}[${index}]`;
    const own =
      answer.length === example.length
        ? [answer[index]]
        : answer.filter((one) => typeOf(one) === typeOf(shown));
    if (own.length === 0) return [`${at} is shown, and nothing answered`];
    const all = own.map((given) => shapeDifferences(shown, given, free, at));
    return all.toSorted((one, other) => one.length - other.length)[0] ?? [];
  });
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
