const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether JSON text is nested deeper than `maxDepth` levels of objects and arrays. Counts brackets outside of strings,
 * before anything is parsed. For invalid JSON either answer is possible.
 * @param body UTF-8
 */
export function isNestedDeeper(body: Uint8Array, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]!;
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
}
