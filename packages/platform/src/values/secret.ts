import { inspect } from 'node:util';

const hidden = '[secret]';

/** Holds a value that must not be printed: every conversion to text gives `[secret]`. */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. Review each call. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}
