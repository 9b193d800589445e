/** What `spellingsOf` gives for a text of digits, without making it: most values that are looked for are never found. */

/** Bytes before the value in its group of three, of which base64 makes another text each. */
export const base64Offsets = [0, 1, 2] as const;

/** Of the hexadecimal spelling, and of the base64 after so many bytes. @param digits how many the value has */
export function spellingLengths(digits: number): readonly number[] {
  const base64 = base64Offsets.map(
    (offset) => Math.floor((8 * (offset + digits)) / 6) - Math.ceil((8 * offset) / 6),
  );
  return [2 * digits, ...base64];
}

/** Writes the first bytes of a number's hexadecimal spelling. */
export function writeHexHead(value: string, head: Uint8Array, length: number): void {
  for (let at = 0; at < length; at += 1) head[at] = at % 2 === 0 ? 0x33 : value.charCodeAt(at >> 1);
}

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1');

/** Writes the first characters of a number's base64 after so many other bytes, without those that it shares with them. */
export function writeBase64Head(value: string, offset: number, head: Uint8Array, length: number): void {
  let bits = 0;
  let held = 0;
  let from = 0;
  // The first character that only the value decides begins in the middle of its first byte, if there are others before.
  if (offset > 0) {
    held = 8 - (offset === 1 ? 4 : 2);
    bits = value.charCodeAt(0) & ((1 << held) - 1);
    from = 1;
  }
  for (let at = 0; at < length; at += 1) {
    if (held < 6) {
      bits = (bits << 8) | value.charCodeAt(from);
      held += 8;
      from += 1;
    }
    held -= 6;
    head[at] = alphabet[(bits >> held) & 0x3f]!;
    bits &= (1 << held) - 1;
  }
}
