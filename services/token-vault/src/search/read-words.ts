import { type End, SearchQueryError } from './query.ts';

/** A token of the query: an operator, a bracket, or a field with its value. */
export type Word =
  | { readonly kind: 'and' | 'or' | 'not' | 'open' | 'close' | 'end' }
  | { readonly kind: 'term'; readonly field: string; readonly value: string }
  | {
      readonly kind: 'range';
      readonly field: string;
      readonly from: End | undefined;
      readonly to: End | undefined;
    };

const signs: readonly (readonly [text: string, kind: 'and' | 'or' | 'not' | 'open' | 'close'])[] = [
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
  ['-', 'not'],
  ['(', 'open'],
  [')', 'close'],
];
const names: ReadonlyMap<string, 'and' | 'or' | 'not'> = new Map([
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not'],
]);

export function readWords(text: string): readonly Word[] {
  const reader = new WordReader(text);
  const words: Word[] = [];
  for (;;) {
    const word = reader.next();
    words.push(word);
    if (word.kind === 'end') return words;
  }
}

const space = /\s/;
/** End an unquoted value unless escaped by a backslash. */
const boundary = /[\s()"]/;
/** Syntax of Lucene's language outside of this subset. */
const unsupported = /[[\]{}^~?*]/;
/** Only this field allows a wildcard. */
const wildcardField = 'container';

class WordReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Word {
    this.#skipSpace();
    if (this.#at >= this.#text.length) return { kind: 'end' };
    for (const [sign, kind] of signs) {
      if (!this.#text.startsWith(sign, this.#at)) continue;
      this.#at += sign.length;
      return { kind };
    }
    const begin = this.#at;
    const { text: field, ended } = this.#readBare(':');
    const operator = ended ? undefined : names.get(this.#text.slice(begin, this.#at));
    if (operator !== undefined) return { kind: operator };
    if (!ended || field === '') throw this.#error('a field and a colon are expected');
    this.#at += 1;
    this.#skipSpace();
    return this.#readValue(field);
  }

  #readValue(field: string): Word {
    const first = this.#text.charAt(this.#at);
    if (first === '"') return { kind: 'term', field, value: this.#readQuoted() };
    if (first === '[' || first === '{') return { kind: 'range', field, ...this.#readRange() };
    const begin = this.#at;
    const { text: value } = this.#readBare('', field === wildcardField ? '*' : '');
    if (value === '' || names.has(this.#text.slice(begin, this.#at)))
      throw this.#error('a value is expected');
    return { kind: 'term', field, value };
  }

  /** @param stop another character that ends it. @param wildcard a special character that is allowed */
  #readBare(stop: string, wildcard = ''): { text: string; ended: boolean } {
    let text = '';
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === stop) return { text, ended: true };
      if (boundary.test(character)) break;
      if (unsupported.test(character) && character !== wildcard)
        throw this.#error('this character has to be quoted');
      text += character === '\\' ? this.#readEscaped() : character;
      this.#at += 1;
    }
    return { text, ended: false };
  }

  #readEscaped(): string {
    this.#at += 1;
    if (this.#at >= this.#text.length) throw this.#error('a character is expected after the backslash');
    return this.#text.charAt(this.#at);
  }

  #readQuoted(): string {
    let text = '';
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === '"') {
        this.#at += 1;
        return text;
      }
      text += character === '\\' ? this.#readEscaped() : character;
    }
    throw this.#error('a closing quote is expected');
  }

  #readRange(): { from: End | undefined; to: End | undefined } {
    const opened = this.#text.charAt(this.#at) === '[';
    this.#at += 1;
    const from = this.#readEnd(opened);
    const between = this.#readEndText();
    if (between !== 'TO') throw this.#error('"TO" is expected');
    const text = this.#readEndText();
    this.#skipSpace();
    const closing = this.#text.charAt(this.#at);
    if (closing !== ']' && closing !== '}') throw this.#error('the end of the range is expected');
    this.#at += 1;
    return { from, to: endOf(text, closing === ']') };
  }

  #readEnd(inclusive: boolean): End | undefined {
    return endOf(this.#readEndText(), inclusive);
  }

  #readEndText(): string {
    this.#skipSpace();
    if (this.#text.charAt(this.#at) === '"') return this.#readQuoted();
    const begin = this.#at;
    while (this.#at < this.#text.length && !/[\s\]}]/.test(this.#text.charAt(this.#at))) this.#at += 1;
    if (this.#at === begin) throw this.#error('the end of the range is expected');
    return this.#text.slice(begin, this.#at);
  }

  #skipSpace(): void {
    while (space.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #error(message: string): SearchQueryError {
    return new SearchQueryError(`cannot be read at character ${this.#at + 1}: ${message}`);
  }
}

function endOf(text: string, inclusive: boolean): End | undefined {
  return text === '*' ? undefined : { text, inclusive };
}
