import { validationError } from '@glovebox/platform/errors/app-error';

import { type Problems, hasProblems } from './shape.ts';
import { uuidPattern } from './shape.ts';

const storable = (text: string) => !text.includes('\0');

/** Reads query parameters and collects every problem. Unknown parameters are ignored. */
export class QueryReader {
  readonly #query: URLSearchParams;
  readonly #problems: Problems = {};

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  /** Undefined when absent or empty. */
  single(name: string, maxLength: number): string | undefined {
    const values = this.#query.getAll(name);
    const value = values[0];
    if (values.length > 1) this.#note(name, 'must be given once');
    else if (value === undefined || value === '') return undefined;
    else if (value.length > maxLength) this.#note(name, `must be at most ${maxLength} characters long`);
    else if (!storable(value)) this.#note(name, 'must not contain U+0000');
    else return value;
    return undefined;
  }

  /** 0 means the default, as absence does. */
  integer(name: string, fallback: number, max: number): number {
    const text = this.single(name, 100);
    if (text === undefined) return fallback;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value <= max) return value === 0 ? fallback : value;
    this.#note(name, `must be an integer from 0 to ${max}`);
    return fallback;
  }

  uuids(name: string): readonly string[] {
    return this.#each(name, (value) => uuidPattern.test(value), 'must be a UUID').map((id) =>
      id.toLowerCase(),
    );
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const text = this.single(name, 100);
    if (text === undefined) return undefined;
    const match = allowed.find((candidate) => candidate === text);
    if (match === undefined) this.#note(name, `must be one of ${allowed.join(', ')}`);
    return match;
  }

  anyOf<T extends string>(name: string, allowed: readonly T[]): readonly T[] {
    const isAllowed = (value: string) => allowed.some((candidate) => candidate === value);
    return this.#each(name, isAllowed, `must be one of ${allowed.join(', ')}`) as T[];
  }

  /** @param problem the message if `parse` returns undefined */
  parsed<T>(
    name: string,
    maxLength: number,
    parse: (text: string) => T | undefined,
    problem: string,
  ): T | undefined {
    const text = this.single(name, maxLength);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) this.#note(name, problem);
    return value;
  }

  /** @throws AppError `invalid_argument` when anything was wrong. */
  done(): void {
    if (hasProblems(this.#problems)) throw validationError(this.#problems);
  }

  #each(name: string, accepts: (value: string) => boolean, problem: string): string[] {
    const values = this.#query.getAll(name).filter((value) => value !== '');
    values.forEach((value, index) => {
      if (!accepts(value)) this.#note(`${name}[${index}]`, problem);
    });
    return values;
  }

  #note(path: string, message: string): void {
    (this.#problems[path] ??= []).push(message);
  }
}
