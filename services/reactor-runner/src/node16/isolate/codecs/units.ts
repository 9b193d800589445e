/** Text of which each byte is one code unit, after a mask: 0xff for latin1, 0x7f for ASCII. */
export function unitsText(bytes: Uint8Array, start: number, end: number, mask: number): string {
  let text = '';
  const units: number[] = [];
  for (let from = start; from < end; from += 4000) {
    const to = Math.min(end, from + 4000);
    units.length = 0;
    for (let i = from; i < to; i += 1) units.push(bytes[i]! & mask);
    text += String.fromCharCode.apply(undefined, units);
  }
  return text;
}

export function utf16Text(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  const units: number[] = [];
  for (let i = start; i + 1 < end; i += 2) {
    units.push(bytes[i]! | (bytes[i + 1]! << 8));
    if (units.length < 4000) continue;
    text += String.fromCharCode.apply(undefined, units);
    units.length = 0;
  }
  return text + String.fromCharCode.apply(undefined, units);
}

export function latin1Into(text: string, into: Uint8Array, start: number, end: number): number {
  const length = Math.min(text.length, end - start);
  for (let i = 0; i < length; i += 1) into[start + i] = text.charCodeAt(i);
  return length;
}

/** Whole code units only. */
export function utf16Into(text: string, into: Uint8Array, start: number, end: number): number {
  const length = Math.min(text.length, (end - start) >> 1);
  for (let i = 0; i < length; i += 1) {
    const unit = text.charCodeAt(i);
    into[start + 2 * i] = unit & 0xff;
    into[start + 2 * i + 1] = unit >> 8;
  }
  return 2 * length;
}

/** Up to the first pair that is no hexadecimal number. */
export function hexInto(text: string, into: Uint8Array, start: number, end: number): number {
  const length = Math.min(text.length >> 1, end - start);
  const nibble = (unit: number) => {
    if (unit >= 48 && unit <= 57) return unit - 48;
    const letter = unit | 32;
    return letter >= 97 && letter <= 102 ? letter - 87 : -1;
  };
  for (let i = 0; i < length; i += 1) {
    const high = nibble(text.charCodeAt(2 * i));
    const low = nibble(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) return i;
    into[start + i] = (high << 4) | low;
  }
  return length;
}

/** Takes both alphabets mixed and skips other characters, up to padding, as Node.js does. */
export function base64Into(text: string, into: Uint8Array, start: number, end: number): number {
  let at = start;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length && at < end; i += 1) {
    const unit = text.charCodeAt(i);
    let value = -1;
    if (unit >= 65 && unit <= 90) value = unit - 65;
    else if (unit >= 97 && unit <= 122) value = unit - 71;
    else if (unit >= 48 && unit <= 57) value = unit + 4;
    else if (unit === 43 || unit === 45) value = 62;
    else if (unit === 47 || unit === 95) value = 63;
    else if (unit === 61) break;
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xff_ff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    into[at] = (bits >> held) & 0xff;
    at += 1;
  }
  return at - start;
}
