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
import { minValueLength } from './spellings.ts';

/** Replaces a value. */
const stroke = '***';
/** Of all texts together, in bytes; and how many values are searched. */
const maxTextBytes = 64 * 1024;
const maxValues = 500;
/** Characters compared, beyond the first few of a value, before it gives up. */
const maxCompared = 4_000_000;
/**
 * Characters of a value's beginning at the end of a text. Fewer could be guessed: code that repeats its caller's input
 * would show which guess is removed. A message that is cut after 4000 characters, of which the first 2000 are shown,
 * ends with that much of a value that begins among these, even if each character is escaped as `\u0041`.
 */
const minBeginning = 250;
/** So much of a value's beginning decides whether the rest is searched. */
const headLength = 48;

/** Not a byte of UTF-8. */
const separator = '\xff';

/**
 * Removes values from texts for readers who may not see the values: raw, in any case, escaped as in JSON, percent-
 * encoded, in base64 and base64url at any offset, in hex, with separators between the characters; and a long beginning
 * of a value at the end of a text, since texts are cut somewhere.
 * @param values those of less than six characters are ignored
 * @returns the texts in their order; undefined when there is too much to search: then none of them may be shown
 */
export function redact(texts: readonly string[], values: Iterable<string>): readonly string[] | undefined {
  const wanted = new Set([...values].filter(({ length }) => length >= minValueLength));
  if (wanted.size === 0) return texts;
  // A text may be cut inside a character.
  const pieces = texts.map((text) => bytesOf(text.replace(/[\ud800-\udbff]$/, '')));
  const joined = pieces.join(separator);
  if (wanted.size > maxValues || joined.length > maxTextBytes) return undefined;
  const ranges = findAll(joined, wanted);
  if (ranges === undefined || ranges.length === 0) return ranges && texts;
  let start = 0;
  let first = 0;
  return pieces.map((piece, at) => {
    while (first < ranges.length && ranges[first]!.to <= start) first += 1;
    let behind = first;
    while (behind < ranges.length && ranges[behind]!.from < start + piece.length) behind += 1;
    const text = struck(piece, start, ranges.slice(first, behind));
    start += piece.length + separator.length;
    return text ?? texts[at]!;
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

/** @param isCut of which hardly anything may be left, so that this is no evidence */
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

/** A view with an index of each run of a few characters: a pattern that is not in it costs one lookup. */
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

  /** The places of the pattern in the original. */
  find(pattern: string, allowance: { left: number }): Range[] {
    const { from, to } = this.#view;
    const ranges: Range[] = [];
    for (const at of this.#places.get(pattern.slice(0, minValueLength)) ?? []) {
      const length = this.#lengthAt(at, pattern, allowance);
      if (allowance.left < 0) break;
      if (length > 0) ranges.push({ from: from[at]!, to: to[at + length - 1]! });
    }
    return ranges;
  }

  /** Length of the pattern at a place, or of its beginning if the text ends with that; 0 for neither. */
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

/** The piece of the whole at `start`, without its ranges; undefined if there is none. */
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
