/** Longer names are not compared: comparing takes the product of the lengths. */
const maxLength = 64;

/**
 * The known name that was probably meant, for a hint; undefined when none is near. Case, `_` and `-` are ignored, so
 * `requestTransform` is `request_transform`. Of two equally near names the first one wins.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxLength) return undefined;
  const wanted = bare(name);
  // A third of the letters may be wrong; a name of one or two letters must be right.
  let nearest: string | undefined;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const candidate of known) {
    const distance = distanceOf(wanted, bare(candidate), least);
    if (distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/**
 * Number of letters to add, remove, replace or swap with their neighbour (optimal string alignment); any number from
 * `limit` on when it is at least that.
 */
function distanceOf(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(swapped ? Math.min(cost, (beforeLast[column - 2] ?? 0) + 1) : cost);
    }
    if (Math.min(...current) >= limit) return limit;
    beforeLast = last;
    last = current;
  }
  return last.at(-1) ?? limit;
}
