import type { JsonValue } from './json-value.ts';

/** A JSON text that is parsed when somebody looks into it: most expressions want all of it as it is. */
export class Subject {
  readonly json: string;
  #parsed: { readonly value: JsonValue } | undefined;

  constructor(json: string) {
    this.json = json;
  }

  value(): JsonValue {
    this.#parsed ??= { value: JSON.parse(this.json) as JsonValue };
    return this.#parsed.value;
  }
}
