import { type SearchQuery, SearchQueryError } from './query.ts';
import { type Word, readWords } from './read-words.ts';

/**
 * `NOT` binds before `AND`, and `AND` before `OR`. As in Lucene, adjacent terms are alternatives; before `NOT`,
 * `AND` is implied.
 * @param maxLength in characters: bounds the recursion over a query
 * @returns undefined for an empty query, which matches every token
 * @throws SearchQueryError
 */
export function parseQuery(text: string, maxLength: number): SearchQuery | undefined {
  if (text.length > maxLength) {
    throw new SearchQueryError(`must not be longer than ${String(maxLength)} characters`);
  }
  const words = readWords(text);
  if (words.length === 1) return undefined;
  const parser = new Parser(words);
  const query = parser.readAlternatives();
  parser.expectEnd();
  return query;
}

class Parser {
  readonly #words: readonly Word[];
  #at = 0;

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  readAlternatives(): SearchQuery {
    const first = this.#readConjunction();
    const others: SearchQuery[] = [];
    while (this.#take('or') || this.#startsClause()) others.push(this.#readConjunction());
    return others.length === 0 ? first : { kind: 'or', of: [first, ...others] };
  }

  expectEnd(): void {
    if (this.#word.kind !== 'end')
      throw new SearchQueryError('cannot be read: a bracket is closed that is not open');
  }

  #readConjunction(): SearchQuery {
    const first = this.#readNegation();
    const others: SearchQuery[] = [];
    while (this.#take('and') || this.#word.kind === 'not') others.push(this.#readNegation());
    return others.length === 0 ? first : { kind: 'and', of: [first, ...others] };
  }

  #readNegation(): SearchQuery {
    return this.#take('not') ? { kind: 'not', of: this.#readNegation() } : this.#readClause();
  }

  #readClause(): SearchQuery {
    const word = this.#word;
    if (word.kind === 'term' || word.kind === 'range') {
      this.#at += 1;
      return word;
    }
    if (!this.#take('open')) throw new SearchQueryError('cannot be read: a term is missing');
    const query = this.readAlternatives();
    if (!this.#take('close')) throw new SearchQueryError('cannot be read: a bracket is not closed');
    return query;
  }

  get #word(): Word {
    return this.#words[this.#at] ?? { kind: 'end' };
  }

  #startsClause(): boolean {
    return ['term', 'range', 'open'].includes(this.#word.kind);
  }

  #take(kind: Word['kind']): boolean {
    if (this.#word.kind !== kind) return false;
    this.#at += 1;
    return true;
  }
}
