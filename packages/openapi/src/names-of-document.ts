import { dereference } from './dereference.ts';
import { type KnownNames, type Names, operationKey } from './known-names.ts';
import {
  type Components,
  type OpenApiDocument,
  type Operation,
  type PathItem,
  type Schema,
  methods,
} from './openapi-document.ts';

/** What each operation knows of requests, by its key: what it documents, and what it shows itself of the same resource. */
export function namesOfDocument(document: OpenApiDocument): Readonly<Record<string, KnownNames>> {
  const reader = new NamesReader(document);
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const names = { query: reader.query(item, operation), body: reader.body(item, operation) };
      return [[operationKey(method, path), names] as const];
    }),
  );
  return Object.fromEntries(all);
}

/** Undefined where a schema speaks of no object. */
type Read = Names | null | undefined;

class NamesReader {
  readonly #components: Components;

  constructor({ components }: OpenApiDocument) {
    this.#components = components;
  }

  query(item: PathItem, operation: Operation): readonly string[] {
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    return parameters
      .map((one) => dereference(this.#components.parameters, one))
      .flatMap((one) => {
        if (one.in !== 'query') return [];
        // An object, which clients also send as one parameter for each of its members.
        return one.content === undefined ? [one.name] : [one.name, `${one.name}.*`];
      });
  }

  body(item: PathItem, operation: Operation): Names | null {
    const [content] = Object.values(operation.requestBody?.content ?? {});
    if (content === undefined) return null;
    const sent = this.#names(content.schema);
    const shown = this.#shown(operation) ?? this.#shown(item.get);
    // Clients send back what they were shown. What has no id is an answer of another kind.
    const isResource = shown !== undefined && shown !== null && Object.hasOwn(shown, 'id');
    return (isResource ? join(sent, shown) : sent) ?? null;
  }

  #shown(operation: Operation | undefined): Read {
    const responses = Object.entries(operation?.responses ?? {}).filter(([status]) => status.startsWith('2'));
    return responses
      .map(([, response]) => dereference(this.#components.responses, response))
      .map(({ content }) => this.#names(content?.['application/json']?.schema))
      .reduce(join, undefined);
  }

  #names(schema: Schema | undefined): Read {
    if (schema === undefined) return undefined;
    if (schema.$ref !== undefined) return this.#names(dereference(this.#components.schemas, schema));
    const { properties, items, additionalProperties, type, allOf = [], anyOf = [], oneOf = [] } = schema;
    const members = [...allOf, ...anyOf, ...oneOf].map((one) => this.#names(one));
    const parts = [...members, this.#names(items)].reduce(join, undefined);
    if (additionalProperties === true) return null;
    if (properties !== undefined) return join(parts, this.#members(properties));
    const isObject = [type].flat().includes('object');
    return isObject || !constraints.some((name) => name in schema) ? join(parts, null) : parts;
  }

  #members(properties: Readonly<Record<string, Schema>>): Names {
    return Object.fromEntries(
      Object.entries(properties).flatMap(([name, schema]) => {
        const { 'x-alias': alias } = schema;
        const below = this.#names(schema) ?? null;
        return [name, ...(typeof alias === 'string' ? [alias] : [])].map((one) => [one, below]);
      }),
    );
  }
}

/** A schema without any of these lets everything in. */
const constraints = ['type', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'required'];

/** What at least one of them knows. */
function join(left: Read, right: Read): Read {
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (left === null || right === null) return null;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const below = [left, right].filter((one) => Object.hasOwn(one, name)).map((one) => one[name]);
      return [name, below.reduce(join, undefined) ?? null];
    }),
  );
}
