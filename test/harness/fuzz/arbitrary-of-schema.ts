import type { OpenApiDocument, Schema } from '@glovebox/openapi/openapi-document';
import fc from 'fast-check';

const maxText = 60;
const maxItems = 4;

/** Values that a JSON Schema of the document allows, or nearly: a fuzzer needs no more. */
export function arbitraryOf(document: OpenApiDocument, schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const of = (part: unknown, deeper = depth) => arbitraryOf(document, part as Schema, deeper);
  const reference = schema['$ref'];
  if (typeof reference === 'string') return of(resolve(document, reference));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]));
  for (const word of ['anyOf', 'oneOf']) {
    const choices = schema[word];
    if (Array.isArray(choices)) return fc.oneof(...choices.map((choice) => of(choice)));
  }
  const all = schema['allOf'];
  if (Array.isArray(all))
    return fc.tuple(...all.map((part) => of(part))).map((parts) => Object.assign({}, ...parts) as unknown);
  const type = schema['type'];
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => of({ ...schema, type: one as string })));
  switch (type) {
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: bound(schema['minimum'], -1000), max: bound(schema['maximum'], 1000) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return depth > 5
        ? fc.constant([])
        : fc.array(of(schema['items'] ?? {}, depth + 1), {
            minLength: Math.min(bound(schema['minItems'], 0), maxItems),
            maxLength: Math.min(bound(schema['maxItems'], maxItems), maxItems),
          });
    case 'object':
      return depth > 5 ? fc.constant({}) : object(schema, (part) => of(part, depth + 1));
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function object(schema: Schema, of: (part: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, unknown>);
  const required = (schema['required'] ?? []) as string[];
  const known = fc.record(Object.fromEntries(properties.map(([name, part]) => [name, of(part)])), {
    requiredKeys: required.filter((name) => properties.some(([own]) => own === name)),
  });
  const more = schema['additionalProperties'];
  if (typeof more !== 'object' || more === null) return known;
  const extra = fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), of(more), { maxKeys: 3 });
  return fc.tuple(known, extra).map(([own, others]) => ({ ...others, ...own }));
}

function text(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern } = schema as { format?: string; pattern?: string };
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100') })
      .map((date) => date.toISOString());
  const minLength = Math.min(bound(schema['minLength'], 0), maxText);
  const maxLength = Math.min(bound(schema['maxLength'], maxText), maxText);
  const plain = fc.string({ minLength, maxLength });
  // Not every pattern can be run backwards: look-aheads cannot.
  if (pattern === undefined || /\(\?[!=<]/.test(pattern)) return plain;
  return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: Math.max(maxLength, 40) });
}

function bound(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

function resolve(document: OpenApiDocument, reference: string): unknown {
  let place: unknown = document;
  for (const name of reference.split('/').slice(1)) place = (place as Record<string, unknown>)[name];
  return place;
}
