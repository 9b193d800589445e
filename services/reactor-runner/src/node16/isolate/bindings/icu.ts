import { exactBytes } from '../bridge.ts';
import type { Scope } from '../scope.ts';

/** `internalBinding('icu')`. */
export function icuBinding({ call, load }: Scope): object {
  const flush = 1;
  const fatal = 2;
  const ignoreBom = 4;
  const bufferOf = (bytes: Uint8Array) => {
    const { FastBuffer } = load('internal/buffer');
    return new FastBuffer(bytes.buffer);
  };
  return {
    icuErrName: (code: number) => (code === -1 ? 'U_ILLEGAL_ARGUMENT_ERROR' : 'U_ZERO_ERROR'),
    transcode(source: Uint8Array, from: string, to: string) {
      const bytes = call('text.transcode', exactBytes(source), from, to);
      return bytes === undefined ? -1 : bufferOf(bytes);
    },
    getConverter(encoding: string, flags: number) {
      const known = call('text.isEncoding', encoding);
      return known ? { encoding, flags, id: undefined } : undefined;
    },
    decode(
      converter: { encoding: string; flags: number; id: number | undefined },
      input: ArrayBufferView,
      flags: number,
    ) {
      const ends = (flags & flush) !== 0;
      const options = {
        fatal: (converter.flags & fatal) !== 0,
        ignoreBOM: (converter.flags & ignoreBom) !== 0,
      };
      if (!ends) converter.id ??= call('text.open', converter.encoding, options.fatal, options.ignoreBOM);
      const bytes = exactBytes(input);
      const answer =
        converter.id === undefined
          ? call('text.decode', converter.encoding, options.fatal, options.ignoreBOM, bytes)
          : call('text.decodePart', converter.id, bytes, ends);
      if (ends) converter.id = undefined;
      return answer;
    },
    getStringWidth: (text: string) => call('text.width', text),
    hasConverter: (encoding: string) => call('text.isEncoding', encoding),
    toASCII: (domain: string) => call('url.domainToASCII', domain),
    toUnicode: (domain: string) => call('url.domainToUnicode', domain),
  };
}
