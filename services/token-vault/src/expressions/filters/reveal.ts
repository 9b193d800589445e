import type { JsonValue } from '../../values/json-value.ts';
import type { WorkBudget } from '../expression-limits.ts';
import { characterArgument, countArgument, textArgument } from './arguments.ts';
import { charactersOf, hasSurrogates } from './characters.ts';
import { scalarText, type Filter, type Value } from './filter.ts';

export const last4: Filter = { minArgs: 0, maxArgs: 0, apply: applyLast4 };
export const reveal: Filter = { minArgs: 0, maxArgs: 4, apply: applyReveal };
export const revealLast: Filter = { minArgs: 1, maxArgs: 2, apply: applyRevealLast };

function applyLast4(input: Value): Value {
  if (input === null) return null;
  const text = scalarText('last4', input);
  return charactersOf(text.slice(-8)).slice(-4).join('');
}

function applyReveal(input: Value, args: readonly JsonValue[], work: WorkBudget): Value {
  if (input === null) return null;
  const text = scalarText('reveal', input);
  const first = countArgument('reveal', 'reveal_first', args[0], 0);
  const last = countArgument('reveal', 'reveal_last', args[1], 0);
  const mask = characterArgument('reveal', 'mask_char', args[2], 'X');
  const preserved = textArgument('reveal', 'preserve_chars', args[3], '');
  const plain = isPlain(text, work);
  if (plain && preserved === '') return maskPlain(text, { first, last, mask });
  if (plain && mask.length === 1 && !hasSurrogates(preserved)) {
    work.spend(preserved.length * perCharacter + text.length * perUnit);
    const lastFrom = text.length - last;
    const masked = first < lastFrom ? maskUnits(text, { first, lastFrom, mask, preserved }) : text;
    return masked === text ? mask.repeat(text.length) : masked;
  }
  work.spend((text.length + preserved.length) * perCharacter);
  return maskMiddle(charactersOf(text), { first, last, mask, preserved });
}

/**
 * Units of work for a character that is looked at for surrogates or dashes, for one of a text in which each unit is a
 * character, and for one that is handled by itself.
 */
const perLook = 2;
const perUnit = 8;
const perCharacter = 45;

/** Whether each unit of the text is a character. */
function isPlain(text: string, work: WorkBudget): boolean {
  work.spend(text.length * perLook);
  return !hasSurrogates(text);
}

/** Masks a text from `first` to before `lastFrom`, where each unit of the text and of the mask is a character. */
function maskUnits(
  text: string,
  { first, lastFrom, mask, preserved }: Omit<Middle, 'last'> & { readonly lastFrom: number },
): string {
  const kept = new Set<number>();
  for (let at = 0; at < preserved.length; at += 1) kept.add(preserved.charCodeAt(at));
  const masking = mask.charCodeAt(0);
  const units = new Uint16Array(lastFrom - first);
  for (let at = first; at < lastFrom; at += 1) {
    const unit = text.charCodeAt(at);
    units[at - first] = kept.has(unit) ? unit : masking;
  }
  return text.slice(0, first) + Buffer.from(units.buffer).toString('utf16le') + text.slice(lastFrom);
}

/** `maskMiddle` without characters to preserve, so that it need not look at each. */
function maskPlain(text: string, { first, last, mask }: Omit<Middle, 'preserved'>): string {
  const lastFrom = text.length - last;
  if (first < lastFrom) {
    const masked = mask.repeat(lastFrom - first);
    if (text.slice(first, lastFrom) !== masked) return text.slice(0, first) + masked + text.slice(lastFrom);
  }
  return mask.repeat(text.length);
}

export interface Middle {
  readonly first: number;
  readonly last: number;
  readonly mask: string;
  readonly preserved: string;
}

/** A mask that would hide nothing hides everything: leaking the value is worse than showing too little. */
export function maskMiddle(characters: readonly string[], { first, last, mask, preserved }: Middle): string {
  const kept = new Set(charactersOf(preserved));
  const lastFrom = characters.length - last;
  if (first < lastFrom) {
    const masked = characters.map((character, at) =>
      at < first || at >= lastFrom || kept.has(character) ? character : mask,
    );
    if (masked.some((character, at) => character !== characters[at])) return masked.join('');
  }
  return mask.repeat(characters.length);
}

function applyRevealLast(input: Value, args: readonly JsonValue[], work: WorkBudget): Value {
  if (input === null) return null;
  const text = scalarText('reveal_last', input);
  const length = countArgument('reveal_last', 'length', args[0]);
  const mask = characterArgument('reveal_last', 'mask_char', args[1], 'X');
  if (isPlain(text, work)) {
    const lastFrom = Math.max(text.length - length, 0);
    if (!text.includes('-')) return mask.repeat(lastFrom) + text.slice(lastFrom);
    if (mask.length === 1) {
      work.spend(text.length * perUnit);
      return maskUnits(text, { first: 0, lastFrom, mask, preserved: '-' });
    }
  }
  work.spend(text.length * perCharacter);
  const characters = charactersOf(text);
  // Unlike `reveal`, a value that is not longer than `length` shows whole, as documented
  // (contract/choices.md#short-values-in-reveal-filters).
  const hidden = characters.length - length;
  if (hidden <= 0) return text;
  let masked = '';
  for (let at = 0; at < hidden; at += 1) masked += characters[at] === '-' ? '-' : mask;
  return masked + characters.slice(hidden).join('');
}
