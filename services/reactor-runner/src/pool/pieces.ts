/** Bytes of all pieces together. */
export function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
