import { BrokenAnswer } from './broken-answer.ts';
import { colon, cr, lf, space, tab, tokenCharacters, valueCharacters } from './characters.ts';

/** Of the names and values of headers, and of those of trailers, in bytes. */
export const maxFieldBytes = 16 * 1024;
/** Headers, and trailers. */
const maxFields = 2000;

/**
 * Reads field lines (RFC 9112 section 5), each of which ends with CR LF, up to the end of the text.
 * @param text one character for each byte
 * @param fields gets name and value of each; the value without spaces and tabs around it
 * @throws BrokenAnswer
 */
export function readFields(text: string, from: number, fields: string[]): void {
  let at = from;
  let bytes = 0;
  while (at < text.length) {
    const nameAt = at;
    while (tokenCharacters[text.charCodeAt(at)] === 1) at += 1;
    if (at === nameAt || text.charCodeAt(at) !== colon) throw new BrokenAnswer('field');
    const name = text.slice(nameAt, at);
    let code = text.charCodeAt(++at);
    while (code === space || code === tab) code = text.charCodeAt(++at);
    const valueAt = at;
    while (valueCharacters[code] === 1) code = text.charCodeAt(++at);
    if (code !== cr) throw new BrokenAnswer(code === lf ? 'line-end' : 'field');
    if (text.charCodeAt(at + 1) !== lf) throw new BrokenAnswer('line-end');
    const value = text.slice(valueAt, endOfValue(text, valueAt, at));
    fields.push(name, value);
    bytes += name.length + value.length;
    at += 2;
  }
  if (bytes >= maxFieldBytes || fields.length > 2 * maxFields) throw new BrokenAnswer('too-large');
}

function endOfValue(text: string, from: number, lineEnd: number): number {
  let end = lineEnd;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}
