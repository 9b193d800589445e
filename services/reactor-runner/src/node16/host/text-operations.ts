import { type TranscodeEncoding, transcode } from 'node:buffer';
import { TextDecoder, stripVTControlCharacters } from 'node:util';

import { type Operations, bytes, exact, flag, oneOf, text } from './arguments.ts';
import { Handles } from './handles.ts';

const transcodable: readonly TranscodeEncoding[] = ['utf8', 'ucs2', 'utf16le', 'latin1', 'binary', 'ascii'];

/** Decoding, and what else takes less time or more knowledge here than in the isolate. */
export function textOperations(): Operations {
  const decoders = new Handles<TextDecoder>('decoder', 100);
  const decoderOf = (encoding: unknown, fatal: unknown, ignoreBOM: unknown) =>
    new TextDecoder(text(encoding, 100), { fatal: flag(fatal), ignoreBOM: flag(ignoreBOM) });
  const decode = (decoder: TextDecoder, input: Uint8Array, stream: boolean) => {
    try {
      return decoder.decode(input, { stream });
    } catch {
      return -1;
    }
  };
  return {
    'buffer.text': (input, encoding) =>
      Buffer.from(bytes(input).buffer).toString(oneOf(encoding, ['utf8', 'latin1'] as const)),
    'buffer.bytes': (input) => exact(Buffer.from(text(input), 'utf8')),
    'text.isEncoding'(encoding) {
      try {
        return new TextDecoder(text(encoding, 100)).encoding !== '';
      } catch {
        return false;
      }
    },
    'text.decode': (encoding, fatal, ignoreBOM, input) =>
      decode(decoderOf(encoding, fatal, ignoreBOM), bytes(input), false),
    'text.open': (encoding, fatal, ignoreBOM) => decoders.open(decoderOf(encoding, fatal, ignoreBOM)),
    'text.decodePart'(id, input, ends) {
      const decoder = decoders.get(id);
      if (flag(ends)) decoders.close(id);
      return decode(decoder, bytes(input), !flag(ends));
    },
    'text.transcode'(input, from, to) {
      if (![from, to].every((name) => transcodable.some((known) => known === name))) return undefined;
      return exact(transcode(bytes(input), oneOf(from, transcodable), oneOf(to, transcodable)));
    },
    'text.width': (input) => widthOf(text(input, 10_000)),
  };
}

/** Columns on a terminal. */
function widthOf(line: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(line)) {
    const point = character.codePointAt(0)!;
    if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) continue;
    const wide =
      /^\p{Emoji_Presentation}$/u.test(character) ||
      (point >= 0x11_00 && point <= 0x11_5f) ||
      (point >= 0x2e_80 && point <= 0xa4_cf) ||
      (point >= 0xac_00 && point <= 0xd7_a3) ||
      (point >= 0xf9_00 && point <= 0xfa_ff) ||
      (point >= 0xfe_30 && point <= 0xfe_6f) ||
      (point >= 0xff_00 && point <= 0xff_60) ||
      (point >= 0x2_00_00 && point <= 0x3_ff_fd);
    width += wide ? 2 : 1;
  }
  return width;
}
