export type JsonKind = 'object' | 'array' | 'string' | 'boolean' | 'number' | 'null';

const kinds: Readonly<Record<string, JsonKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** What stands at the start of a JSON text without white space before it. */
export function kindOf(json: string): JsonKind {
  return kinds[json.charAt(0)] ?? 'number';
}

const scalarEnd = /[\s,\]}]|$/g;
const bracketOrQuote = /["{}[\]]/g;
const notSpace = /\S|$/g;

/**
 * Goes through a JSON text from value to value and gives them as they are written: numbers keep their digits, and
 * what nobody asks for is never made. The text must be known to be valid; each character is read once.
 */
export class JsonWalk {
  readonly text: string;
  #at: number;

  constructor(text: string) {
    this.text = text;
    this.#at = next(notSpace, text, 0);
  }

  /** Where the value begins that is due. */
  get at(): number {
    return this.#at;
  }

  get kind(): JsonKind {
    return kindOf(this.text.charAt(this.#at));
  }

  /** Passes over the value that is due. @returns it as it is written */
  value(): string {
    const start = this.#at;
    this.#at = this.#valueEnd();
    return this.text.slice(start, this.#at);
  }

  /** Passes over the object that is due. @param onMember has to pass over the member's value. */
  members(onMember: (name: string) => void): void {
    this.#skip(1);
    while (this.text.charAt(this.#at) !== '}') {
      const name = JSON.parse(this.value()) as string;
      this.#at = next(notSpace, this.text, this.#at);
      this.#skip(1);
      onMember(name);
      this.#at = next(notSpace, this.text, this.#at);
      if (this.text.charAt(this.#at) === ',') this.#skip(1);
    }
    this.#at += 1;
  }

  #skip(characters: number): void {
    this.#at = next(notSpace, this.text, this.#at + characters);
  }

  #valueEnd(): number {
    const { text, kind } = this;
    if (kind === 'string') return stringEnd(text, this.#at);
    if (kind !== 'object' && kind !== 'array') return next(scalarEnd, text, this.#at);
    let depth = 0;
    let at = this.#at;
    do {
      const character = text.charAt(at);
      if (character === '"') at = stringEnd(text, at);
      else {
        depth += character === '{' || character === '[' ? 1 : -1;
        at += 1;
      }
      if (depth > 0) at = next(bracketOrQuote, text, at);
    } while (depth > 0);
    return at;
  }
}

/** Where the next match of a global pattern begins. */
function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Behind the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charAt(quote - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
