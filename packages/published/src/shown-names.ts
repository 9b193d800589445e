const word = /[A-Za-z_$][\w$-]{0,39}/g;
const known = new WeakMap<object, ReadonlySet<string>>();

/** `*` for a name that may not be shown. */
export type ShownName = (name: string) => string;

/**
 * A name of a member or header is shown only if it is a word of the code of one of the versions: any other could be a value,
 * and who may read a rollout may read this code anyway (contract/rollouts.md#shadow).
 * @param textsOf the code of a version
 */
export function shownNames<T extends object>(
  present: T,
  second: T,
  textsOf: (version: T) => readonly string[],
): ShownName {
  const [a, b] = [wordsOf(present, textsOf), wordsOf(second, textsOf)];
  return (name) => (a.has(name) || b.has(name) ? name : '*');
}

/** Found once for each record. */
function wordsOf<T extends object>(
  version: T,
  textsOf: (version: T) => readonly string[],
): ReadonlySet<string> {
  let words = known.get(version);
  if (words === undefined) {
    const found = textsOf(version).join('\n').match(word) ?? [];
    known.set(version, (words = new Set([...found, ...found.map((one) => one.toLowerCase())])));
  }
  return words;
}
