import { bytesOf } from './redact-views.ts';

/** How a value may be written, each as a text whose characters are bytes. */
export interface Spellings {
  /** In lower case: it is searched without regard to the case of letters. */
  readonly plain: readonly string[];
  readonly base64: readonly string[];
  /** Between which separators may be; undefined unless it is a number with or without them. */
  readonly digits: string | undefined;
}

/** Shorter values are words and numbers of any text. */
export const minValueLength = 6;

/** The spellings of a value in a message that carries it: raw, JSON, percent-encoding, base64, hex, separated digits. */
export function spellingsOf(value: string): Spellings {
  // A number without separators is found among the digits.
  const isWithout = isNumber(value);
  const plain = isWithout ? [] : isSimple.test(value) ? [lower(value)] : lowered(writtenOf(value));
  const base64: string[] = [];
  for (const bytes of encodedOf(value)) {
    plain.push(bytes.toString('hex'));
    for (const text of base64Of(bytes)) {
      base64.push(text);
      if (!isSimple.test(text)) addRewritten(text, base64, plain);
    }
  }
  return { plain, base64, digits: isWithout ? value : digitsOf(value) };
}

/** Digits alone, and enough of them. */
export function isNumber(value: string): boolean {
  return value.length >= minValueLength && isDigits.test(value);
}

/** The other alphabet, and what JSON and percent-encoding make of these characters. */
function addRewritten(text: string, base64: string[], plain: string[]): void {
  base64.push(text.replaceAll('+', '-').replaceAll('/', '_'));
  if (text.includes('/')) base64.push(text.replaceAll('/', String.raw`\/`));
  plain.push(lower(encodeURIComponent(text)));
}

function digitsOf(value: string): string | undefined {
  if (!isSeparated.test(value)) return undefined;
  const digits = value.replaceAll(/\D/g, '');
  return digits.length < minValueLength ? undefined : digits;
}

/** What JSON and percent-encoding leave as it is. */
const isSimple = /^\w*$/;
const isSeparated = /^[\d .-]*$/;
const isDigits = /^\d*$/;

const lower = (text: string) =>
  /[A-Z]/.test(text) ? text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;

const lowered = (texts: Iterable<string>) => [...new Set(Array.from(texts, lower))];

/** Without an encoding of its bytes. */
function* writtenOf(value: string): Iterable<string> {
  yield bytesOf(value);
  if (/^[\0-\xff]*$/.test(value)) yield value;
  for (const json of jsonOf(value)) yield bytesOf(json);
  const text = value.toWellFormed();
  const component = encodeURIComponent(text);
  yield component;
  yield component.replaceAll(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
  yield encodeURI(text);
  yield new URLSearchParams([['', text]]).toString().slice(1);
}

/** What encoders escape beyond RFC 8259: slashes, what HTML gives a meaning, and all that is not ASCII. */
const alsoEscaped = [/\//g, /[<>&']/g, /[\x7f-\uffff]/g] as const;

function* jsonOf(value: string): Iterable<string> {
  const texts = [JSON.stringify(value).slice(1, -1)];
  for (const escaped of alsoEscaped) {
    const more = texts.map((text) => text.replaceAll(escaped, escapeOne));
    if (more[0] !== texts[0]) texts.push(...more);
  }
  yield* texts;
}

const escapeOne = (found: string) =>
  found === '/' ? String.raw`\/` : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The bytes that encodings of bytes work on: the value in UTF-8 or ISO 8859-1, alone or within JSON. */
export function encodedOf(value: string): Buffer[] {
  if (isSimple.test(value)) return [Buffer.from(value, 'latin1')];
  const plain = bytesOf(value);
  const texts = new Set([plain, bytesOf(JSON.stringify(value).slice(1, -1))]);
  if (/^[\0-\xff]*$/.test(value)) texts.add(value);
  return [...texts].map((text) => Buffer.from(text, 'latin1'));
}

/** The base64 of these bytes alone, after so many others in their group of three. */
export function base64Of(bytes: Buffer): [string, string, string] {
  const shifted = Buffer.allocUnsafe(2 + bytes.length);
  shifted[0] = 0;
  shifted[1] = 0;
  shifted.set(bytes, 2);
  return [base64After(0, shifted), base64After(1, shifted), base64After(2, shifted)];
}

/** Without the characters that the bytes share with what is before and behind them. */
function base64After(offset: number, shifted: Buffer): string {
  const bits = 8 * (offset + shifted.length - 2);
  return shifted.toString('base64', 2 - offset).slice(Math.ceil((8 * offset) / 6), Math.floor(bits / 6));
}
