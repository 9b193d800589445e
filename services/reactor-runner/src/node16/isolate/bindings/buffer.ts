import { exactBytes } from '../bridge.ts';
import { takeNativeCodecs } from '../codecs/native.ts';
import { base64Into, hexInto, latin1Into, unitsText, utf16Into, utf16Text } from '../codecs/units.ts';
import { utf8Into, utf8Length, utf8Text } from '../codecs/utf8.ts';
import type { ErrorCodes } from '../node-internals.ts';
import type { Scope } from '../scope.ts';
import { bufferSearch } from './buffer-search.ts';

/** `internalBinding('buffer')`. */
export function bufferBinding({ call, load }: Scope): object {
  const errors = () => load('internal/errors').codes;
  const encodings = ['ascii', 'latin1', 'utf16le', 'utf8', 'base64', 'base64url', 'hex'];
  // Above this the way to the host takes less time than the language.
  const hostFrom = 16_384;
  const native = takeNativeCodecs();

  const textOf: Record<string, (bytes: Uint8Array, start: number, end: number) => string> = {
    ascii: (bytes, start, end) => unitsText(bytes, start, end, 0x7f),
    latin1: (bytes, start, end) =>
      end - start < hostFrom
        ? unitsText(bytes, start, end, 0xff)
        : call('buffer.text', bytes.slice(start, end), 'latin1'),
    ucs2: utf16Text,
    utf8: (bytes, start, end) =>
      end - start < hostFrom
        ? utf8Text(bytes, start, end)
        : call('buffer.text', exactBytes(bytes.subarray(start, end)), 'utf8'),
    base64: (bytes, start, end) => native.toBase64(bytes.subarray(start, end)),
    base64url: (bytes, start, end) =>
      native.toBase64(bytes.subarray(start, end), { alphabet: 'base64url', omitPadding: true }),
    hex: (bytes, start, end) => native.toHex(bytes.subarray(start, end)),
  };

  function utf8Write(text: string, into: Uint8Array, start: number, end: number): number {
    if (text.length < hostFrom || utf8Length(text) > end - start)
      return utf8Into(text, into, start, end).written;
    const bytes = call('buffer.bytes', text);
    into.set(bytes, start);
    return bytes.length;
  }

  function base64Write(text: string, into: Uint8Array, start: number, end: number): number {
    if (text.length >= 64 && end - start >= (text.length * 3) >> 2) {
      try {
        const bytes = native.fromBase64(text);
        into.set(bytes, start);
        return bytes.length;
      } catch {
        // It is strict; Node.js is not.
      }
    }
    return base64Into(text, into, start, end);
  }

  const into: Record<string, (text: string, into: Uint8Array, start: number, end: number) => number> = {
    ascii: latin1Into,
    latin1: latin1Into,
    ucs2: utf16Into,
    utf8: utf8Write,
    base64: base64Write,
    base64url: base64Write,
    hex: hexInto,
  };

  function bytesOf(text: string, encoding: string): Uint8Array {
    const name = encoding === 'utf16le' ? 'ucs2' : encoding;
    const room = name === 'utf8' ? utf8Length(text) : name === 'ucs2' ? 2 * text.length : text.length;
    const bytes = new Uint8Array(room);
    const written = into[name]?.(text, bytes, 0, room) ?? 0;
    return written === room ? bytes : bytes.slice(0, written);
  }

  return {
    ...bufferMethods(textOf, into, errors),
    ...bufferSearch(encodings, bytesOf, errors),
    byteLengthUtf8: utf8Length,
    createFromString(text: string, encoding: number) {
      const { FastBuffer } = load('internal/buffer');
      return new FastBuffer(bytesOf(text, encodings[encoding] ?? 'utf8').buffer);
    },
    encodeUtf8String: (text: string) => bytesOf(text, 'utf8'),
    encodeInto(text: string, bytes: Uint8Array, results: Uint32Array) {
      const { read, written } = utf8Into(text, bytes, 0, bytes.length);
      results[0] = read;
      results[1] = written;
    },
    getZeroFillToggle: () => [1],
    kMaxLength: 2 ** 32,
    kStringMaxLength: 536_870_888,
  };
}

/** `proto.utf8Slice`, `proto.utf8Write` and so on. */
export function bufferMethods(
  textOf: Record<string, (bytes: Uint8Array, start: number, end: number) => string>,
  into: Record<string, (text: string, into: Uint8Array, start: number, end: number) => number>,
  errors: () => ErrorCodes,
): Record<string, Function> {
  const methods: Record<string, Function> = {};
  const outOfRange = (field: string) => new (errors().ERR_OUT_OF_RANGE)(field, 'within', -1);
  for (const [name, read] of Object.entries(textOf)) {
    methods[`${name}Slice`] = function slice(this: Uint8Array, start = 0, end = this.length) {
      if (!ArrayBuffer.isView(this)) throw new TypeError('argument must be a buffer');
      if (start < 0 || end < 0) throw new RangeError('Index out of range');
      const to = Math.min(end, this.length);
      return start >= to ? '' : read(this, Math.trunc(start), Math.trunc(to));
    };
  }
  for (const [name, write] of Object.entries(into)) {
    methods[`${name}Write`] = function writeText(
      this: Uint8Array,
      text: unknown,
      offset = 0,
      length?: number,
    ) {
      if (!ArrayBuffer.isView(this)) throw new TypeError('argument must be a buffer');
      if (typeof text !== 'string') throw new (errors().ERR_INVALID_ARG_TYPE)('argument', 'string', text);
      if (offset > this.length) throw new (errors().ERR_BUFFER_OUT_OF_BOUNDS)('offset');
      if (offset < 0) throw outOfRange('offset');
      const room = Math.min(length ?? Infinity, this.length - offset);
      return write(text, this, offset, offset + room);
    };
  }
  return methods;
}
