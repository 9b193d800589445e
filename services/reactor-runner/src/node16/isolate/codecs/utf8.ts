/** How many bytes a string takes in UTF-8, lone surrogates as U+FFFD. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    if (unit < 0xd8_00 || unit > 0xdb_ff) continue;
    const next = text.charCodeAt(i + 1);
    if (next < 0xdc_00 || next > 0xdf_ff || i + 1 >= text.length) continue;
    // The pair takes four bytes: two of them are counted, and two code units.
    i += 1;
  }
  return length;
}

/** Writes whole characters only; gives the code units read and the bytes written. */
export function utf8Into(
  text: string,
  into: Uint8Array,
  start: number,
  end: number,
): { read: number; written: number } {
  let at = start;
  let i = 0;
  for (; i < text.length; i += 1) {
    let point = text.charCodeAt(i);
    if (point < 0x80) {
      if (at >= end) break;
      into[at] = point;
      at += 1;
      continue;
    }
    let units = 1;
    if (point >= 0xd8_00 && point <= 0xdf_ff) {
      const next = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
      if (point <= 0xdb_ff && next >= 0xdc_00 && next <= 0xdf_ff) {
        point = 0x1_00_00 + ((point - 0xd8_00) << 10) + (next - 0xdc_00);
        units = 2;
      } else point = 0xff_fd;
    }
    const size = point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4;
    if (at + size > end) break;
    into[at] = size === 2 ? 0xc0 | (point >> 6) : size === 3 ? 0xe0 | (point >> 12) : 0xf0 | (point >> 18);
    for (let shift = 6 * (size - 2), k = 1; k < size; shift -= 6, k += 1) {
      into[at + k] = 0x80 | ((point >> shift) & 0x3f);
    }
    at += size;
    i += units - 1;
  }
  return { read: i, written: at - start };
}

/** Decodes as the WHATWG Encoding Standard says: one U+FFFD for each maximal part that is not UTF-8. */
export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let units: number[] = [];
  let i = start;
  while (i < end) {
    const first = bytes[i]!;
    i += 1;
    if (first < 0x80) {
      units.push(first);
    } else {
      const need = first >= 0xc2 && first <= 0xdf ? 1 : first >= 0xe0 && first <= 0xef ? 2 : 3;
      let point = need === 1 ? first & 0x1f : need === 2 ? first & 0x0f : first & 0x07;
      let got = first < 0xc2 || first > 0xf4 ? -1 : 0;
      let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      while (got >= 0 && got < need && i < end) {
        const next = bytes[i]!;
        if (next < low || next > high) break;
        point = (point << 6) | (next & 0x3f);
        low = 0x80;
        high = 0xbf;
        got += 1;
        i += 1;
      }
      if (got !== need) units.push(0xff_fd);
      else if (point < 0x1_00_00) units.push(point);
      else units.push(0xd8_00 + ((point - 0x1_00_00) >> 10), 0xdc_00 + ((point - 0x1_00_00) & 0x3_ff));
    }
    if (units.length > 4000) {
      text += String.fromCharCode.apply(undefined, units);
      units = [];
    }
  }
  return text + String.fromCharCode.apply(undefined, units);
}
