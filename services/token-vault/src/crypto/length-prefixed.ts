const lengthBytes = 4;

/**
 * Joins texts into bytes from which exactly these texts can be read back: each is preceded by its length in bytes, as
 * 4 bytes, big endian. Plain joining would not do: with any separator, ("a|b", "c") and ("a", "b|c") give the same
 * bytes, and a value sealed for one record would open as another's.
 *
 * A text with half of a surrogate pair is refused. UTF-8 has no form for it, Node writes U+FFFD instead, and two
 * different texts would become the same bytes.
 */
export function lengthPrefixed(...parts: readonly string[]): Buffer {
  const lengths: number[] = [];
  let total = 0;
  for (const part of parts) {
    if (!part.isWellFormed()) throw new TypeError('only well-formed text can be bound to a key or a value');
    const length = Buffer.byteLength(part);
    lengths.push(length);
    total += lengthBytes + length;
  }
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    at = bytes.writeUInt32BE(lengths[index] ?? 0, at);
    at += bytes.write(part, at);
  }
  return bytes;
}
