import type { OpenApiDocument, Reference } from '@glovebox/openapi/openapi-document';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The schemas of the document by their JSON pointers, compiled when they are first needed. */
export class ApiSchemas {
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'api');
  }

  /** What is wrong with a value by the schema at a pointer such as `#/components/schemas/Error`. */
  problems(pointer: string, value: unknown): readonly string[] {
    let validate = this.#compiled.get(pointer);
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `api${pointer}` });
      this.#compiled.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
      return `${instancePath === '' ? 'the whole' : instancePath} ${message} ${JSON.stringify(params)}`;
    });
  }

  /** What is at a pointer or where its reference leads, with the pointer to it. */
  resolve<T extends object>(pointer: string, value: T | Reference): { pointer: string; value: T } {
    if (!('$ref' in value)) return { pointer, value };
    const parts = value.$ref.slice(2).split('/');
    const found = parts.reduce<unknown>(
      (at, part) => (at as Record<string, unknown>)[unescape(part)],
      this.#document,
    );
    return { pointer: value.$ref, value: found as T };
  }
}

/** The pointer to a place below the root (RFC 6901). */
export function pointerTo(...parts: readonly string[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

function unescape(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
