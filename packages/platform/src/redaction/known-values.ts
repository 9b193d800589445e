import type { AppError } from '../errors/app-error.ts';
import type { ErrorObject } from '../errors/http.ts';
import { sourcedJson } from '../values/sourced-json.ts';
import { redactJson } from './redact-json.ts';
import { redact } from './redact.ts';

/** What to select of a parsed JSON text; undefined where there is nothing. */
export function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
}

type ProblemText = Pick<ErrorObject, 'detail' | 'errors'>;

interface Source {
  readonly json: string | Uint8Array;
  readonly select: (json: unknown) => unknown;
}

/** Of all JSON texts together, in characters or bytes. More is not parsed to answer an error. */
const maxSize = 1024 * 1024;

const withheld = 'The message is withheld: there is too much that it must not show.';

const tooLong = 'The message is too long to be shown without the values that are in it.';

/**
 * Characters of a text that are shown. A longer text is cut only after redaction: the rest of a value that a cut
 * leaves would not be recognised.
 */
export const maxShownLength = 2000;

const shown = (text: string) => (text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text);

const whole = (json: unknown) => json;

/**
 * The values that a request, or a run of code, has seen, and that no message about it may show. They are only stored,
 * as the JSON texts that they came in, until there is a message.
 */
export class KnownValues {
  #sources: Source[] = [];
  #size = 0;

  /** @param select the secret part of the parsed text: each text and each number in it */
  add(json: string | Uint8Array, select: Source['select'] = whole): void {
    this.#size += json.length;
    if (this.#size > maxSize) this.#sources = [];
    else this.#sources.push({ json, select });
  }

  /** The texts without the values (redact.ts). A long text that holds any is dropped, since part of one may remain. */
  redact(texts: readonly string[]): readonly string[] {
    return this.#redacted(texts) ?? texts.map(() => withheld);
  }

  /** The same for JSON; undefined when it is too large to search. */
  redactJson(value: unknown): unknown {
    return redactJson(value, (texts) => this.#redacted(texts));
  }

  /** The final form of an error: without the values, also in the names of fields, and each text cut. */
  redactProblem({ detail, errors }: ProblemText): ProblemText {
    const names = Object.keys(errors);
    const messages = Object.values(errors);
    const redacted = this.redact([detail, ...names, ...messages.flat()]).values();
    const next = () => shown(redacted.next().value ?? '');
    const result = { detail: next(), names: names.map(next) };
    return {
      detail: result.detail,
      errors: Object.fromEntries(messages.map((of, at) => [result.names[at], of.map(next)])),
    };
  }

  redactError(error: AppError): AppError {
    if (error.fixed) return error;
    const { detail, errors } = this.redactProblem({ detail: error.message, errors: error.errors });
    return error.reworded(detail, errors);
  }

  /** Undefined when there is too much. */
  #redacted(texts: readonly string[]): readonly string[] | undefined {
    if (this.#size === 0 || texts.length === 0) return texts;
    const redacted = this.#size > maxSize ? undefined : redact(texts, this.#values());
    return redacted?.map((text, at) => {
      const original = texts[at]!;
      return text !== original && original.length > maxShownLength ? tooLong : text;
    });
  }

  *#values(): Iterable<string> {
    for (const { json, select } of this.#sources) yield* leavesOf(select(parse(json)));
  }
}

/**
 * A text that is no JSON is one value. A number whose digits a double does not keep is a list: the digits that were
 * received, and those that code sees of it.
 */
function parse(json: string | Uint8Array): unknown {
  const text = typeof json === 'string' ? json : Buffer.from(json).toString();
  try {
    return sourcedJson.parse(text, (_name, value, { source }) =>
      typeof value === 'number' && source !== undefined && source !== String(value) ? [source, value] : value,
    );
  } catch {
    return text;
  }
}

/** The texts and numbers in a value, at any depth. */
function* leavesOf(value: unknown): Iterable<string> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') yield next;
    else if (typeof next === 'number') yield String(next);
    else if (typeof next === 'object' && next !== null)
      for (const item of Object.values(next)) open.push(item);
  }
}
