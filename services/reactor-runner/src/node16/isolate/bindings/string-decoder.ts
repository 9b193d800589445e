import { exactBytes } from '../bridge.ts';
import type { Scope } from '../scope.ts';

/**
 * `internalBinding('string_decoder')`. Its state is a buffer that JavaScript can see: four bytes of an unfinished
 * character, how many bytes it still needs, how many it has, and the encoding.
 */
export function stringDecoderBinding({ load }: Scope): object {
  const missingBytes = 4;
  const bufferedBytes = 5;
  const encodingField = 6;
  const encodings = ['ascii', 'latin1', 'utf16le', 'utf8', 'base64', 'base64url', 'hex'] as const;

  const textOf = (bytes: Uint8Array, encoding: BufferEncoding) => {
    const { Buffer } = load('buffer');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
  };

  /** Bytes at the end that begin a character which they do not finish, and how many more it needs. */
  function unfinishedUtf8(bytes: Uint8Array): { held: number; missing: number } {
    for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
      const byte = bytes[bytes.length - back]!;
      if ((byte & 0xc0) === 0x80) continue;
      const size = (byte & 0xe0) === 0xc0 ? 2 : (byte & 0xf0) === 0xe0 ? 3 : (byte & 0xf8) === 0xf0 ? 4 : 1;
      if (size <= back) break;
      return { held: back, missing: size - back };
    }
    return { held: 0, missing: 0 };
  }

  function unfinished(
    bytes: Uint8Array,
    encoding: string,
    wasHeld: number,
  ): { held: number; missing: number } {
    if (encoding === 'utf8') return unfinishedUtf8(bytes);
    if (encoding === 'utf16le') {
      // A surrogate that has been held already goes on waiting for its pair.
      if (bytes.length % 2 === 1) return { held: wasHeld === 2 && bytes.length === 3 ? 3 : 1, missing: 1 };
      return bytes.length >= 2 && isHighSurrogate(bytes, bytes.length - 2)
        ? { held: 2, missing: 2 }
        : { held: 0, missing: 0 };
    }
    if (encoding === 'base64' || encoding === 'base64url') {
      const held = bytes.length % 3;
      return { held, missing: held === 0 ? 0 : 3 - held };
    }
    return { held: 0, missing: 0 };
  }

  function isHighSurrogate(bytes: Uint8Array, at: number): boolean {
    return (bytes[at + 1]! & 0xfc) === 0xd8;
  }

  return {
    encodings,
    kIncompleteCharactersStart: 0,
    kIncompleteCharactersEnd: 4,
    kMissingBytes: missingBytes,
    kBufferedBytes: bufferedBytes,
    kEncodingField: encodingField,
    kNumFields: 7,
    kSize: 7,
    decode(state: Uint8Array, view: ArrayBufferView) {
      if (!ArrayBuffer.isView(view)) {
        const { ERR_INVALID_ARG_TYPE } = load('internal/errors').codes;
        throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], view);
      }
      const encoding = encodings[state[encodingField]!] ?? 'utf8';
      const held = state[bufferedBytes]!;
      const bytes = new Uint8Array(held + view.byteLength);
      bytes.set(state.subarray(0, held));
      bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), held);
      const rest = unfinished(bytes, encoding, held);
      state.set(bytes.subarray(bytes.length - rest.held));
      state[bufferedBytes] = rest.held;
      state[missingBytes] = rest.missing;
      return textOf(exactBytes(bytes.subarray(0, bytes.length - rest.held)), encoding);
    },
    flush(state: Uint8Array) {
      const encoding = encodings[state[encodingField]!] ?? 'utf8';
      const held = state[bufferedBytes]!;
      const whole = encoding === 'utf16le' ? held - (held % 2) : held;
      const text = textOf(state.slice(0, whole), encoding);
      state[bufferedBytes] = 0;
      state[missingBytes] = 0;
      return text;
    },
  };
}
