export type JsonKind = 'object' | 'array' | 'string' | 'boolean' | 'number' | 'null';

const kinds: Readonly<Record<string, JsonKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** What is at the start of a JSON text without white space before it. */
export function kindOf(json: string): JsonKind {
  return kinds[json.charAt(0)] ?? 'number';
}

const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/**
 * Walks a JSON text from value to value and gives them as they are written: numbers keep their digits, and skipped
 * values are never built. Each character is read once. The text must be valid: an invalid one leads to an Error or to
 * nonsense, but always ends.
 */
export class JsonWalk {
  readonly text: string;
  #at: number;

  constructor(text: string) {
    this.text = text;
    this.#at = afterSpace(text, 0);
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
    this.#at = valueEnd(this.text, start);
    return this.text.slice(start, this.#at);
  }

  /** Passes over the object that is due. @param onMember has to pass over the member's value. */
  members(onMember: (name: string) => void): void {
    const { text } = this;
    this.#at = afterSpace(text, this.#at + 1);
    while (text.charCodeAt(this.#at) !== closingBrace) {
      if (this.#at >= text.length) throw unfinished();
      const name = decodeName(this.value());
      const colon = afterSpace(text, this.#at);
      this.#at = afterSpace(text, colon + 1);
      onMember(name);
      this.#at = afterSpace(text, this.#at);
      if (text.charCodeAt(this.#at) === comma) this.#at = afterSpace(text, this.#at + 1);
    }
    this.#at += 1;
  }

  /** Passes over the array that is due. @param onItem has to pass over the item. */
  items(onItem: () => void): void {
    const { text } = this;
    this.#at = afterSpace(text, this.#at + 1);
    while (text.charCodeAt(this.#at) !== closingBracket) {
      if (this.#at >= text.length) throw unfinished();
      const before = this.#at;
      onItem();
      this.#at = afterSpace(text, this.#at);
      if (text.charCodeAt(this.#at) === comma) this.#at = afterSpace(text, this.#at + 1);
      if (this.#at === before) throw unfinished();
    }
    this.#at += 1;
  }
}

/** @param literal a JSON string with its quotes */
function decodeName(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Behind the end of the text there is none: it has no code there. */
function isSpace(code: number): boolean {
  return code <= 0x20;
}

function valueEnd(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === quote) return stringEnd(text, start);
  if (code === openingBrace || code === openingBracket) return nestedEnd(text, start);
  let at = start;
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at += 1;
  return at;
}

function endsScalar(code: number): boolean {
  return code === comma || code === closingBrace || code === closingBracket || isSpace(code);
}

/** Behind the object or array that opens at `start`. */
function nestedEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    if (at >= text.length) throw unfinished();
    const code = text.charCodeAt(at);
    if (code === openingBrace || code === openingBracket) depth += 1;
    else if (code === closingBrace || code === closingBracket) depth -= 1;
    at = code === quote ? stringEnd(text, at) : at + 1;
  } while (depth > 0);
  return at;
}

/** Behind the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end === -1) throw unfinished();
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

function unfinished(): Error {
  return new Error('a JSON text ends before it is whole');
}
