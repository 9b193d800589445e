import { validationError } from '@glovebox/platform/errors/app-error';

/** Reports what is wrong at a snake_case JSON path. */
export type ReportProblem = (path: string, message: string) => void;

/** A request can have as many problems as bytes; the answer is bounded. */
const maxProblems = 100;
const maxPathLength = 300;

/** Collects everything that is wrong with a request by snake_case JSON path. */
export class ValidationProblems {
  readonly #messages = new Map<string, string[]>();
  #count = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  add(path: string, message: string): void {
    this.#count += 1;
    if (this.#count > maxProblems) return;
    const key = path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
    const messages = this.#messages.get(key);
    if (messages) messages.push(message);
    else this.#messages.set(key, [message]);
  }

  /** Reports problems of a part of the request: `at('cards[0]')` turns `data.number` into `cards[0].data.number`. */
  at(prefix: string): ReportProblem {
    return (path, message) => this.add(joinPath(prefix, path), message);
  }

  throwIfAny(): void {
    if (this.any) throw validationError(Object.fromEntries(this.#messages));
  }
}

function joinPath(prefix: string, path: string): string {
  return prefix === '' || path === '' ? prefix + path : `${prefix}.${path}`;
}
