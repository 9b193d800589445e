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
  readonly #parsed: unknown;
  #text: string | undefined;

  constructor(json: string, index: number) {
    this.json = json;
    this.#parsed = parse(json, index);
  }

  /**
   * The value among other text: a string is itself, `null` is nothing, all else is its JSON text
   * without white space. Numbers keep their digits (api-facts 4.4).
   */
  get text(): string {
    this.#text ??= asText(this.#parsed, this.json);
    return this.#text;
  }
}

function parse(json: string, index: number): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own error quotes what it could not read, which is a token's value.
    throw new TypeError(`The value of expression ${index} is not JSON`);
  }
}

function asText(parsed: unknown, json: string): string {
  if (typeof parsed === 'string') return parsed;
  return parsed === null ? '' : compact(json);
}

const whiteSpace = /[ \t\n\r]/;

/** Takes the white space out of a JSON text, except within its strings. */
function compact(json: string): string {
  if (!whiteSpace.test(json)) return json;
  let kept = '';
  let start = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i += 1) {
    const character = json.charAt(i);
    if (character === '"') quoted = !quoted;
    else if (quoted && character === '\\') i += 1;
    else if (!quoted && whiteSpace.test(character)) {
      kept += json.slice(start, i);
      start = i + 1;
    }
  }
  return kept + json.slice(start);
}
