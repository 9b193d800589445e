/**
 * Finds a text in linear time (Knuth, Morris, Pratt: Fast pattern matching in strings, 1977). The engine's search, which
 * `split`, `replaceAll` and `lastIndexOf` use, may take the product of both lengths.
 * @param wanted not empty
 * @returns the positions from the left, without overlaps; at most `max`
 */
export function findAll(text: string, wanted: string, max = Number.POSITIVE_INFINITY): readonly number[] {
  const places: number[] = [];
  search(text, wanted, (place) => places.push(place) < max && 0);
  return places;
}

/** The last position, overlapping or not; -1 for none. */
export function findLast(text: string, wanted: string): number {
  let last = -1;
  search(text, wanted, (place, border) => {
    last = place;
    return border;
  });
  return last;
}

/**
 * @param onFound gets a position and how many characters of the match may begin the next one; returns how many do, or
 *   false to stop
 */
function search(
  text: string,
  wanted: string,
  onFound: (place: number, border: number) => number | false,
): void {
  const borders = bordersOf(wanted);
  const { length } = wanted;
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    if (matched < length) continue;
    const next = onFound(at + 1 - length, borders[length - 1]!);
    if (next === false) return;
    matched = next;
  }
}

/** For each prefix, the length of its longest proper suffix that is a prefix too. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    const code = wanted.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    borders[at] = matched;
  }
  return borders;
}
