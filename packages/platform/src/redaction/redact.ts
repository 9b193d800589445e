import { type Pattern, type PatternKind, patternsOf } from './redact-patterns.ts';
import {
  type View,
  appliedTo,
  bytesOf,
  decoding,
  folding,
  squeezing,
  unwrapping,
  viewOf,
} from './redact-views.ts';

/** Shorter values are words and numbers that stand in any text. */
const minValueLength = 6;
/** Stands for what was struck out. */
const stroke = '***';
/** Of all texts together, in bytes; and how many values are looked for in them. */
const maxTextBytes = 64 * 1024;
const maxValues = 500;
/** Characters that are compared, beyond the first few of a value, before it is given up. */
const maxCompared = 4_000_000;
/**
 * Of a value's beginning that a text ends with, in characters of it. Less could be guessed: code that repeats what a
 * caller gives would tell which guess is struck out. A message that is cut after 4000 characters, of which the first
 * 2000 are shown, ends with that much of a value that begins among these, even if each is escaped as `\u0041`.
 */
const minBeginning = 250;
/** So much of a value's beginning tells whether it is worth to look for all of it. */
const headLength = 48;

/** No byte of UTF-8. */
const separator = '\xff';

/**
 * Strikes values out of texts that somebody reads who may not read the values: raw, in any case, escaped as in JSON,
 * percent-encoded, in base64 and base64url at any offset, in hex, with separators between the characters; and what
 * a text ends with if it is a long beginning of a value, since texts are cut somewhere.
 *
 * @param values those of less than six characters are passed over
 * @returns the texts in their order; undefined when there is too much to be looked through: none of them may be shown
 */
export function redact(texts: readonly string[], values: Iterable<string>): readonly string[] | undefined {
  const wanted = new Set([...values].filter(({ length }) => length >= minValueLength));
  if (wanted.size === 0) return texts;
  // A text may be cut within a character.
  const pieces = texts.map((text) => bytesOf(text.replace(/[\ud800-\udbff]$/, '')));
  const joined = pieces.join(separator);
  if (wanted.size > maxValues || joined.length > maxTextBytes) return undefined;
  const ranges = findAll(joined, wanted);
  if (ranges === undefined || ranges.length === 0) return ranges && texts;
  let start = 0;
  let first = 0;
  return pieces.map((piece, at) => {
    while (first < ranges.length && (ranges[first] as Range).to <= start) first += 1;
    let behind = first;
    while (behind < ranges.length && (ranges[behind] as Range).from < start + piece.length) behind += 1;
    const text = struck(piece, start, ranges.slice(first, behind));
    start += piece.length + separator.length;
    return text ?? (texts[at] as string);
  });
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Undefined when it takes too long. */
function findAll(joined: string, values: ReadonlySet<string>): readonly Range[] | undefined {
  const views = viewsOf(joined);
  const allowance = { left: maxCompared };
  const ranges: Range[] = [];
  for (const value of values) {
    const heads = patternsOf(value.slice(0, headLength));
    if (!heads.some((head) => mayHold(views, head, value.length > headLength))) continue;
    for (const [kind, pattern] of patternsOf(value)) {
      if (pattern.length < minValueLength) continue;
      for (const view of views[kind]) ranges.push(...view.find(pattern, allowance));
      if (allowance.left < 0) return undefined;
    }
  }
  return merged(ranges);
}

/** @param isCut of which hardly anything may be left: nothing can be said by that */
function mayHold(views: Views, [kind, head]: Pattern, isCut: boolean): boolean {
  if (head.length < minValueLength) return isCut;
  return views[kind].some((view) => view.mayHold(head));
}

type Views = Readonly<Record<PatternKind, readonly IndexedView[]>>;

function viewsOf(joined: string): Views {
  const original = viewOf(joined);
  const once = appliedTo(original, decoding);
  const decoded = [...new Set([original, once, appliedTo(once, decoding)])];
  const folded = decoded.map((view) => appliedTo(view, folding));
  return {
    plain: folded.map(indexed),
    squeezed: folded.map((view) => indexed(appliedTo(view, squeezing))),
    base64: decoded.map((view) => indexed(appliedTo(view, unwrapping))),
  };
}

const indexed = (view: View) => new IndexedView(view);

/** A view that knows where in it each run of a few characters is: what is not in it costs no more than one look. */
class IndexedView {
  readonly #view: View;
  readonly #places = new Map<string, number[]>();

  constructor(view: View) {
    this.#view = view;
    for (let at = 0; at + minValueLength <= view.text.length; at += 1) {
      const run = view.text.slice(at, at + minValueLength);
      const places = this.#places.get(run);
      if (places === undefined) this.#places.set(run, [at]);
      else places.push(at);
    }
  }

  mayHold(head: string): boolean {
    return this.#places.has(head.slice(0, minValueLength));
  }

  /** Where the pattern is in the original. */
  find(pattern: string, allowance: { left: number }): Range[] {
    const { from, to } = this.#view;
    const ranges: Range[] = [];
    for (const at of this.#places.get(pattern.slice(0, minValueLength)) ?? []) {
      const length = this.#lengthAt(at, pattern, allowance);
      if (allowance.left < 0) break;
      if (length > 0) ranges.push({ from: from[at] as number, to: to[at + length - 1] as number });
    }
    return ranges;
  }

  /** Of the pattern at a place, or of its beginning if a text ends with that; 0 for neither. */
  #lengthAt(at: number, pattern: string, allowance: { left: number }): number {
    const { text } = this.#view;
    const there = text.slice(at, at + pattern.length);
    allowance.left -= there.length;
    if (there === pattern) return pattern.length;
    const end = there.indexOf(separator);
    if (end === -1 && at + there.length < text.length) return 0;
    const rest = end === -1 ? there : there.slice(0, end);
    return rest.length >= minBeginning && pattern.startsWith(rest) ? rest.length : 0;
  }
}

function merged(ranges: Range[]): Range[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** A piece of the whole that begins at `start`, without its ranges; undefined where it has none. */
function struck(piece: string, start: number, ranges: readonly Range[]): string | undefined {
  if (ranges.length === 0) return undefined;
  let text = '';
  let last = 0;
  for (const { from, to } of ranges) {
    text += piece.slice(last, Math.max(last, from - start)) + stroke;
    last = Math.min(piece.length, to - start);
  }
  return Buffer.from(text + piece.slice(last), 'latin1').toString();
}
