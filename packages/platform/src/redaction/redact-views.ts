/**
 * Text after one encoding is removed. Each character is a byte of its UTF-8 (ISO 8859-1), so that encodings of bytes
 * and of text are searched alike.
 */
export interface View {
  readonly text: string;
  /** The bytes of the original for each character: from the first, up to and without the second. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Removes one encoding, from a searched text and from a value. */
interface Rule {
  readonly pattern: RegExp;
  readonly replace: (found: string) => string;
}

export function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function viewOf(text: string): View {
  const from = Array.from(text, (_, at) => at);
  return { text, from, to: from.map((at) => at + 1) };
}

/** JSON (RFC 8259 section 7), JavaScript's own escapes, and percent-encoding (RFC 3986 section 2.1). */
export const decoding: Rule = {
  pattern:
    /\\u[\da-f]{4}(?:(?<=\\ud[89ab]..)\\ud[c-f][\da-f]{2})?|\\x[\da-f]{2}|\\[nrtbfv"'`/\\]|%[\da-f]{2}/gi,
  replace: decodeOne,
};

const controls: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
};

function decodeOne(found: string): string {
  if (found.startsWith('%')) return String.fromCharCode(parseInt(found.slice(1), 16));
  const [, kind = ''] = found;
  if (found.length === 2) return controls[kind] ?? kind;
  const units = found.split(/\\[ux]/i).slice(1);
  return bytesOf(String.fromCharCode(...units.map((unit) => parseInt(unit, 16))));
}

/** Upper and lower case are equal; so are a space and a form's plus sign. */
export const folding: Rule = {
  pattern: /[A-Z+]/g,
  replace: (found) => (found === '+' ? ' ' : found.toLowerCase()),
};

/** Separators that people write between digits: white space, points, dashes, commas and the like, of Unicode too. */
export const squeezing: Rule = {
  pattern: /[\t\n\r .,:/"'_-]|\xc2\xa0|\xe2\x80[\x80-\x95\xaf]/g,
  replace: () => '',
};

/** Both alphabets of base64 as one (RFC 4648 sections 4 and 5), without line breaks. */
export const unwrapping: Rule = {
  pattern: /[\t\n\r _-]/g,
  replace: (found) => (found === '-' ? '+' : found === '_' ? '/' : ''),
};

export function applied({ pattern, replace }: Rule, text: string): string {
  return text.replace(pattern, replace);
}

/** The same view if the rule changes nothing. */
export function appliedTo(view: View, { pattern, replace }: Rule): View {
  const { text, from, to } = view;
  const seen: { text: string; from: number[]; to: number[] } = { text: '', from: [], to: [] };
  let last = 0;
  const keep = (end: number) => {
    seen.text += text.slice(last, end);
    for (let at = last; at < end; at += 1) {
      seen.from.push(from[at]!);
      seen.to.push(to[at]!);
    }
  };
  for (const { 0: found, index } of text.matchAll(pattern)) {
    keep(index);
    last = index + found.length;
    const bytes = replace(found);
    seen.text += bytes;
    for (let count = 0; count < bytes.length; count += 1) {
      seen.from.push(from[index]!);
      seen.to.push(to[last - 1]!);
    }
  }
  if (last === 0) return view;
  keep(text.length);
  return seen;
}
