import { printable } from './printable.ts';

/** Where a command prints. Results go to standard output, everything else to standard error. */
export class Output {
  readonly #json: boolean;

  /** @param json one line of JSON in place of text */
  constructor(json: boolean) {
    this.#json = json;
  }

  /** A result: as text for people, or as one line of JSON. */
  result(value: unknown, text: string): void {
    if (this.#json) process.stdout.write(`${JSON.stringify(value)}\n`);
    else if (text !== '') process.stdout.write(`${printable(text)}\n`);
  }

  /** What a person should know and a program need not. */
  note(text: string): void {
    if (!this.#json) process.stderr.write(`${printable(text)}\n`);
  }

  warn(text: string): void {
    process.stderr.write(`warning: ${printable(text)}\n`);
  }

  failure(error: object, text: string): void {
    process.stderr.write(this.#json ? `${JSON.stringify({ error })}\n` : `${printable(text)}\n`);
  }
}
