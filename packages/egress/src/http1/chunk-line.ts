import { BrokenAnswer } from './broken-answer.ts';

/** Of the extensions of all chunks of an answer. */
export const maxExtensionBytes = 16 * 1024;

/** As many digits as a number below 2^52 has. */
const sizePattern = /^[0-9a-f]{1,13}/i;
/** RFC 9112 section 7.1.1, without spaces. */
const extensions =
  /^(?:;[!#$%&'*+\-.^_`|~0-9a-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9a-z]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/i;

/**
 * The size of a chunk, in bytes.
 * @param line without CR LF
 * @throws BrokenAnswer
 */
export function sizeOfChunk(line: string): number {
  const digits = sizePattern.exec(line)?.[0];
  if (digits === undefined) throw new BrokenAnswer('chunk');
  if (digits.length < line.length && !extensions.test(line.slice(digits.length)))
    throw new BrokenAnswer('chunk');
  return Number.parseInt(digits, 16);
}
