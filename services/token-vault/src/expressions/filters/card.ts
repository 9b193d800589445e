import { own, isJsonObject, type JsonObject, type JsonValue } from '../../values/json-value.ts';
import type { WorkBudget } from '../expression-limits.ts';
import { digits, randomCharacter } from './alias.ts';
import { characterArgument, flagArgument, textArgument } from './arguments.ts';
import { failed, scalarText, type Filter, type Value } from './filter.ts';
import { maskMiddle } from './reveal.ts';

export const cardBin: Filter = { minArgs: 0, maxArgs: 1, apply: applyCardBin };
export const cardMask: Filter = { minArgs: 0, maxArgs: 4, apply: applyCardMask };
export const cardExp: Filter = { minArgs: 1, maxArgs: 1, apply: applyCardExp };
export const aliasCard: Filter = { minArgs: 0, maxArgs: 2, apply: applyAliasCard };

/** A card number has at most 19 digits, with separators. */
const maxCardLength = 64;
const lastDigits = 4;

/** Longer numbers carry the longer issuer number (ISO/IEC 7812-1:2017). */
function binLength(digitCount: number): number {
  return digitCount >= 16 ? 8 : 6;
}

function cardText(filter: string, input: Value): string {
  const text = scalarText(filter, input);
  if (text.length <= maxCardLength) return text;
  throw failed(filter, 'its input is too long for a card number');
}

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length;
}

function applyCardBin(input: Value, args: readonly JsonValue[]): Value {
  if (input === null) return null;
  const separator = textArgument('card_bin', 'separator_char', args[0], '');
  const text = cardText('card_bin', input);
  const number = separator === '' ? text : text.replaceAll(separator, '');
  if (!/^\d{6,}$/.test(number)) throw failed('card_bin', 'its input must be a card number');
  return number.slice(0, binLength(number.length));
}

/** BIN and last four count digits, so that separators keep their place. */
function applyCardMask(input: Value, args: readonly JsonValue[]): Value {
  if (input === null) return null;
  const text = cardText('card_mask', input);
  const revealBin = flagArgument('card_mask', 'reveal_bin', args[0]);
  const revealLast4 = flagArgument('card_mask', 'reveal_last4', args[1]);
  const mask = characterArgument('card_mask', 'mask_char', args[2], 'X');
  const preserved = textArgument('card_mask', 'preserve_char', args[3], '');
  const digitCount = countDigits(text);
  if (digitCount === 0) throw failed('card_mask', 'its input must be a card number');
  const bin = revealBin ? binLength(digitCount) : 0;
  const first = bin === 0 ? 0 : positionAfterDigit(text, bin);
  const last = revealLast4 ? text.length - positionOfLastDigits(text, digitCount) : 0;
  return maskMiddle(text.split(''), { first, last, mask, preserved });
}

/** The position behind the n-th digit. */
function positionAfterDigit(text: string, n: number): number {
  let seen = 0;
  let at = 0;
  while (seen < n && at < text.length) {
    if (/\d/.test(text.charAt(at))) seen += 1;
    at += 1;
  }
  return at;
}

function positionOfLastDigits(text: string, digitCount: number): number {
  return digitCount <= lastDigits ? 0 : positionAfterDigit(text, digitCount - lastDigits + 1) - 1;
}

function applyAliasCard(input: Value, args: readonly JsonValue[], work: WorkBudget): Value {
  if (input === null) return null;
  const text = cardText('alias_card', input);
  const digitCount = countDigits(text);
  if (digitCount === 0 || !/^[\d -]*$/.test(text))
    throw failed('alias_card', 'its input must be a card number');
  const first = flagArgument('alias_card', 'reveal_bin', args[0]) ? binLength(digitCount) : 0;
  const last = flagArgument('alias_card', 'reveal_last4', args[1]) ? lastDigits : 0;
  if (first + last >= digitCount)
    throw failed('alias_card', 'its input is not longer than the part to reveal');
  work.spend(text.length * 170);
  let seen = 0;
  return text.replace(/\d/g, (digit) => {
    seen += 1;
    return seen <= first || seen > digitCount - last ? digit : randomCharacter(digits);
  });
}

const expirationFormats: Readonly<Record<string, (month: string, year: string) => string>> = {
  MM: (month) => month,
  MMYY: (month, year) => month + year.slice(2),
  'MM/YY': (month, year) => `${month}/${year.slice(2)}`,
  YYYY: (_month, year) => year,
  YYYYMM: (month, year) => year + month,
  'YYYY-MM': (month, year) => `${year}-${month}`,
  'YYYY/MM': (month, year) => `${year}/${month}`,
  'MM/YYYY': (month, year) => `${month}/${year}`,
  MM_YYYY: (month, year) => `${month}_${year}`,
  'MM-YYYY': (month, year) => `${month}-${year}`,
  MMYYYY: (month, year) => month + year,
};

function applyCardExp(input: Value, args: readonly JsonValue[]): Value {
  if (input === null) return null;
  const format = textArgument('card_exp', 'format', args[0]);
  const write = Object.hasOwn(expirationFormats, format) ? expirationFormats[format] : undefined;
  if (!write) throw failed('card_exp', `format must be one of ${Object.keys(expirationFormats).join(', ')}`);
  if (!isJsonObject(input)) throw failed('card_exp', 'its input must be a card');
  const month = numberOf(input, 'expiration_month', 1, 12);
  const year = numberOf(input, 'expiration_year', 1000, 9999);
  if ((month === null && format.includes('MM')) || (year === null && format.includes('YY'))) return null;
  return write(String(month).padStart(2, '0'), String(year));
}

function numberOf(card: JsonObject, name: string, min: number, max: number): number | null {
  const value = own(card, name);
  if (value === undefined || value === null) return null;
  const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
  throw failed('card_exp', `its input has no valid ${name}`);
}
