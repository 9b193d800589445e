import { nameIn } from './dereference.ts';
import { readOpenApiDocument } from './document.ts';
import type { Schema } from './openapi-document.ts';

/**
 * The schemas of the document as TypeScript, one type each under its own name, with the properties in camelCase as
 * clients spell them. What JSON Schema says of lengths and patterns has no place in a type.
 */
export function renderTypeScript(): string {
  const { schemas } = readOpenApiDocument().components;
  const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  return `// Made by \`node --conditions=source packages/openapi/src/render-main.ts\` from packages/openapi/document.\n\n${types.join('\n\n')}\n`;
}

function typeOf(schema: Schema): string {
  const { $ref, const: constant, enum: values, type, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (allOf !== undefined) return combined(allOf, ' & ');
  if (anyOf !== undefined) return combined(anyOf, ' | ');
  if (type === undefined) return oneOf === undefined ? 'unknown' : combined(oneOf, ' | ');
  return [type]
    .flat()
    .map((one) => plainType(one, schema))
    .join(' | ');
}

/** Those that only demand properties say nothing about types. */
function combined(schemas: readonly Schema[], by: string): string {
  const said = schemas.map(typeOf).filter((text) => text !== 'unknown');
  return said.length === 0 ? 'unknown' : said.map((text) => (said.length > 1 ? `(${text})` : text)).join(by);
}

function plainType(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectType(schema);
    default:
      return type;
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    if (typeof additionalProperties !== 'object') return 'object';
    return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`;
  }
  const needed = new Set(required);
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${camelCase(name)}${needed.has(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  return `{ ${members.join(' ')} }`;
}

function camelCase(name: string): string {
  return name.replace(/^_/, '').replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
