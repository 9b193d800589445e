import { dereference, nameIn } from '@glovebox/openapi/dereference';
import type { Schema } from '@glovebox/openapi/openapi-document';

export interface Field {
  /** From the body's root, e.g. `rules[].container`. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
}

type Schemas = Readonly<Record<string, Schema>>;

const maxDepth = 4;

/** The members of a JSON Schema, those within others after them. A schema that contains itself is listed once. */
export function fieldsOf(schema: Schema, schemas: Schemas): readonly Field[] {
  return [...collect(schema, schemas, '', [])];
}

function* collect(
  schema: Schema,
  schemas: Schemas,
  prefix: string,
  within: readonly string[],
): Iterable<Field> {
  const [plain, names] = resolve(schema, schemas, within);
  if (names === undefined || names.length > maxDepth) return;
  const { properties = {}, required, items, allOf = [], oneOf = [], anyOf = [] } = plain;
  const variants = [...allOf, ...oneOf, ...anyOf];
  const seen = new Set<string>();
  for (const variant of variants) {
    for (const field of collect(variant, schemas, prefix, names)) {
      if (!seen.has(field.path)) yield field;
      seen.add(field.path);
    }
  }
  const needed = new Set(required);
  for (const [name, member] of Object.entries(properties)) {
    const path = prefix + name;
    if (seen.has(path)) continue;
    const [own] = resolve(member, schemas, []);
    const type = typeOf(own, schemas);
    const description = (member.description ?? own.description ?? '') + limitsOf(own);
    yield { path, type, description, isRequired: needed.has(name) };
    const inner = type.startsWith('list') ? `${path}[].` : `${path}.`;
    yield* collect(member, schemas, inner, names);
  }
  if (items !== undefined) yield* collect(items, schemas, prefix === '' ? '[].' : prefix, names);
}

/** @returns no names for one of the schemas that it is within */
function resolve(
  schema: Schema,
  schemas: Schemas,
  within: readonly string[],
): [Schema, readonly string[] | undefined] {
  const { $ref } = schema;
  if ($ref === undefined) return [schema, within];
  const name = nameIn($ref);
  return [dereference(schemas, schema), within.includes(name) ? undefined : [...within, name]];
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, const: constant, enum: values, items, oneOf, anyOf } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (type === 'array') {
    const [inner] = resolve(items ?? {}, schemas, []);
    return `list of ${typeOf(inner, schemas)}`;
  }
  if (type !== undefined) return [type].flat().join(' or ');
  const variants = oneOf ?? anyOf ?? [];
  const types = variants.map((variant) => typeOf(resolve(variant, schemas, [])[0], schemas));
  return types.length === 0 ? 'anything' : [...new Set(types)].join(' or ');
}

const limits: readonly (readonly [string, string])[] = [
  ['minLength', 'at least %s characters'],
  ['maxLength', 'at most %s characters'],
  ['minimum', 'at least %s'],
  ['maximum', 'at most %s'],
  ['minItems', 'at least %s members'],
  ['maxItems', 'at most %s members'],
];

function limitsOf(schema: Schema): string {
  const texts = limits.flatMap(([name, text]) =>
    typeof schema[name] === 'number' ? [text.replace('%s', schema[name].toLocaleString('en'))] : [],
  );
  if (texts.length === 0) return '';
  const text = texts.join(', ');
  return ` ${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
