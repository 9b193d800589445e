/**
 * Where a text stands in another, in time that grows with the length of the two together (Knuth, Morris, Pratt: Fast pattern
 * matching in strings, 1977): the engine's own search, of which `split`, `replaceAll` and `lastIndexOf` are made, may take
 * the product.
 * @param wanted not empty
 * @returns the places from the left, without overlaps; at most `max`
 */
export function findAll(text: string, wanted: string, max = Number.POSITIVE_INFINITY): readonly number[] {
  const places: number[] = [];
  search(text, wanted, (place) => places.push(place) < max && 0);
  return places;
}

/** The last place of all, overlaps or not; -1 for none. */
export function findLast(text: string, wanted: string): number {
  let last = -1;
  search(text, wanted, (place, border) => {
    last = place;
    return border;
  });
  return last;
}

/**
 * @param onFound gets a place and how much of the text that ends there may begin the next one; says how much of it does,
 * or false to stop
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
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] as number;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    if (matched < length) continue;
    const next = onFound(at + 1 - length, borders[length - 1] as number);
    if (next === false) return;
    matched = next;
  }
}

/** For each beginning of the text, the length of the longest shorter one with which it ends. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    const code = wanted.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] as number;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    borders[at] = matched;
  }
  return borders;
}
