import { scanJson } from './scan-json.ts';
import { type Spelling, spell } from './spell.ts';

/** The values of the expressions of a body, as the vault evaluated them. */
export class Values {
  readonly #values: readonly Value[];

  /** @param jsons one JSON text for each distinct expression, in their order */
  constructor(jsons: readonly string[]) {
    this.#values = jsons.map((json, index) => new Value(json, index));
  }

  at(index: number): Value {
    const value = this.#values[index];
    if (value === undefined) throw new TypeError(`There is no value for expression ${index}`);
    return value;
  }
}

class Value {
  /** One JSON text, exactly as the vault sent it. */
  readonly json: string;
  readonly #spelled: Partial<Record<Spelling | 'json', Buffer>>;
  #text: string | undefined;

  constructor(json: string, index: number) {
    this.json = json;
    const bytes = Buffer.from(json);
    check(bytes, index);
    this.#spelled = { json: bytes };
  }

  /**
   * The value among other text: a string is itself, `null` is nothing, all else is its JSON text
   * without white space. Numbers keep their digits (contract/expressions.md#substitution).
   */
  get text(): string {
    this.#text ??= asText(this.json);
    return this.#text;
  }

  /** The bytes of its JSON text, or of its text as that is spelled in a body. Made once. */
  spelled(spelling: Spelling | 'json'): Buffer {
    const known = this.#spelled[spelling];
    if (known !== undefined || spelling === 'json') return known as Buffer;
    return (this.#spelled[spelling] = spell[spelling](this.text));
  }
}

/** Scanned and not parsed: parsing a large value may take a hundred times as long. */
function check(json: Buffer, index: number): void {
  try {
    scanJson(json, Number.POSITIVE_INFINITY, ignore);
  } catch {
    // The scanner's own error names a place in a body, and this is no body.
    throw new TypeError(`The value of expression ${index} is not JSON`);
  }
}

const ignore = () => undefined;

function asText(json: string): string {
  const begin = json.trimStart();
  if (begin.startsWith('"')) return JSON.parse(json) as string;
  return begin.startsWith('null') ? '' : compact(json);
}

const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const whiteSpace = /[ \t\n\r]/;

/** Takes the white space out of a JSON text, except within its strings. */
function compact(json: string): string {
  if (!whiteSpace.test(json)) return json;
  let kept = '';
  let start = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i += 1) {
    const code = json.charCodeAt(i);
    if (code === quote) quoted = !quoted;
    else if (quoted && code === backslash) i += 1;
    else if (!quoted && code <= space) {
      kept += json.slice(start, i);
      start = i + 1;
    }
  }
  return kept + json.slice(start);
}
