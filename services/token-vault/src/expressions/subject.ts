import { parseJson, type JsonValue } from '../values/json-value.ts';
import type { WorkBudget } from './work-budget.ts';

/** What a reference stands for, as JSON text or as a value. The other form is made on demand, after paying for it. */
export class Subject {
  #json: string | undefined;
  #parsed: { readonly value: JsonValue } | undefined;

  constructor(json: string) {
    this.#json = json;
  }

  static of(value: JsonValue): Subject {
    const subject = new Subject('');
    subject.#json = undefined;
    subject.#parsed = { value };
    return subject;
  }

  json(work: WorkBudget): string {
    if (this.#json === undefined) {
      const value = this.#parsed?.value ?? null;
      work.spendOn(value);
      this.#json = JSON.stringify(value);
    }
    return this.#json;
  }

  value(work: WorkBudget): JsonValue {
    if (this.#parsed === undefined) {
      const json = this.#json ?? 'null';
      work.spendOnParsing(json);
      this.#parsed = { value: parseJson(json) };
    }
    return this.#parsed.value;
  }
}
