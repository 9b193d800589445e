import type { ErrorCodes } from '../node-internals.ts';

/** The parts of `internalBinding('buffer')` that look for bytes, compare, fill and swap them. */
export function bufferSearch(
  encodings: readonly string[],
  bytesOf: (text: string, encoding: string) => Uint8Array,
  errors: () => ErrorCodes,
): Record<string, Function> {
  const asBytes = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

  /** Where a search begins, or -1 when nothing can be found; as `IndexOfOffset` of Node.js. */
  function startOf(length: number, offset: number, needle: number, forward: boolean): number {
    if (offset < 0) {
      if (offset + length >= 0) return offset + length;
      return forward || needle === 0 ? 0 : -1;
    }
    if (offset + needle <= length) return offset;
    if (needle === 0) return length;
    return forward ? -1 : length - 1;
  }

  function find(
    view: ArrayBufferView,
    needle: Uint8Array,
    offset: number,
    forward: boolean,
    step: number,
  ): number {
    const bytes = asBytes(view);
    const start = startOf(bytes.length, offset, needle.length, forward);
    if (needle.length === 0) return start;
    if (start < 0 || bytes.length < needle.length || needle.length % step !== 0) return -1;
    const last = bytes.length - needle.length;
    const first = needle[0]!;
    const matches = (at: number) => {
      for (let i = 1; i < needle.length; i += 1) if (bytes[at + i] !== needle[i]) return false;
      return true;
    };
    if (!forward) {
      for (let i = Math.min(start, last); i >= 0; i -= step) if (bytes[i] === first && matches(i)) return i;
      return -1;
    }
    for (let i = start; i <= last; i += 1) {
      i = bytes.indexOf(first, i);
      if (i < 0 || i > last) return -1;
      if ((i - start) % step === 0 && matches(i)) return i;
    }
    return -1;
  }

  function order(a: Uint8Array, b: Uint8Array): number {
    const length = Math.min(a.length, b.length);
    for (let i = 0; i < length; i += 1) {
      if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
    }
    return Math.sign(a.length - b.length);
  }

  function swap(bytes: Uint8Array, size: number): Uint8Array {
    for (let i = 0; i + size <= bytes.length; i += size) bytes.subarray(i, i + size).reverse();
    return bytes;
  }

  return {
    compare: order,
    compareOffset(
      a: Uint8Array,
      b: Uint8Array,
      bStart: number,
      aStart: number,
      bLength: number,
      aLength: number,
    ) {
      const outOfRange = errors().ERR_OUT_OF_RANGE;
      if (aStart > a.length) throw new outOfRange('sourceStart', `<= ${a.length}`, aStart);
      if (bStart > b.length) throw new outOfRange('targetStart', `<= ${b.length}`, bStart);
      return order(a.subarray(aStart, aStart + aLength), b.subarray(bStart, bStart + bLength));
    },
    fill(bytes: Uint8Array, value: unknown, start: number, end: number, encoding: string | undefined) {
      if (start > end || end > bytes.length || start < 0) return -2;
      if (start === end) return undefined;
      const names: Record<string, string> = {
        'utf-8': 'utf8',
        ucs2: 'utf16le',
        'ucs-2': 'utf16le',
        'utf-16le': 'utf16le',
        binary: 'latin1',
      };
      const wanted = (encoding ?? 'utf8').toLowerCase();
      const pattern =
        typeof value === 'string'
          ? bytesOf(value, names[wanted] ?? wanted)
          : ArrayBuffer.isView(value)
            ? asBytes(value)
            : new Uint8Array([Number(value) & 255]);
      if (pattern.length === 0) return -1;
      for (let i = start; i < end; i += 1) bytes[i] = pattern[(i - start) % pattern.length]!;
      return undefined;
    },
    indexOfString: (
      view: ArrayBufferView,
      text: string,
      offset: number,
      encoding: number,
      forward: boolean,
    ) => find(view, bytesOf(text, encodings[encoding] ?? 'utf8'), offset, forward, encoding === 2 ? 2 : 1),
    indexOfBuffer: (
      view: ArrayBufferView,
      needle: Uint8Array,
      offset: number,
      encoding: number,
      forward: boolean,
    ) => find(view, needle, offset, forward, encoding === 2 ? 2 : 1),
    indexOfNumber: (view: ArrayBufferView, number: number, offset: number, forward: boolean) =>
      find(view, new Uint8Array([number]), offset, forward, 1),
    swap16: (bytes: Uint8Array) => swap(bytes, 2),
    swap32: (bytes: Uint8Array) => swap(bytes, 4),
    swap64: (bytes: Uint8Array) => swap(bytes, 8),
  };
}
