import { dereference, nameIn } from '@glovebox/openapi/dereference';
import { readOpenApiDocument } from '@glovebox/openapi/document';
import type { Schema } from '@glovebox/openapi/openapi-document';

type Schemas = Readonly<Record<string, Schema>>;

/** The schema of each kind in the description of the API, and the members that a file does not have. */
const sources: Readonly<Record<string, { readonly of: string; readonly without: readonly string[] }>> = {
  applications: { of: 'ApplicationRequest', without: ['name', 'create_key', 'expires_at'] },
  formulas: { of: 'ReactorFormulaRequest', without: ['name', 'type', 'status'] },
  proxies: { of: 'ProxyRequest', without: ['name', 'application_id'] },
  reactors: { of: 'ReactorRequest', without: ['name'] },
  webhooks: { of: 'WebhookRequest', without: ['name'] },
  egress_policy: { of: 'EgressPolicyRequest', without: [] },
};

const secret = {
  description:
    'Text, the value of an environment variable, the content of a file in the folder, or one value of a file that sops has encrypted.',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    {
      type: 'object',
      required: ['env'],
      additionalProperties: false,
      properties: { env: { type: 'string' } },
    },
    {
      type: 'object',
      required: ['file'],
      additionalProperties: false,
      properties: { file: { type: 'string' } },
    },
    {
      type: 'object',
      required: ['sops', 'key'],
      additionalProperties: false,
      properties: {
        sops: { type: 'string' },
        key: {
          anyOf: [
            { type: 'string', minLength: 1 },
            { type: 'array', minItems: 1, items: { type: ['string', 'integer'] } },
          ],
        },
      },
    },
  ],
};
const reference = {
  description: 'The name of another resource, or its id.',
  anyOf: [
    { type: ['string', 'null'] },
    { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  ],
};
/** What a file writes in another way than the API. */
const written: Readonly<Record<string, unknown>> = {
  application: reference,
  formula: reference,
  configuration: { type: 'object', additionalProperties: secret },
  destination_tls: { type: 'object', additionalProperties: { anyOf: [secret, { type: 'array' }] } },
};

/** `gen/schema.ts`: the JSON Schema of `glovebox.yaml`, made of the description of the API. */
export function renderSchema(): string {
  const defs = readOpenApiDocument().components.schemas;
  const used: Record<string, unknown> = {};
  const keep = (schema: unknown) => {
    const kept: unknown = JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
      if (name !== '$ref' || typeof value !== 'string') return value;
      const target = nameIn(value);
      if (!(target in used)) {
        used[target] = {};
        used[target] = keep(defs[target]);
      }
      return `#/$defs/${target}`;
    });
    return kept;
  };
  const definitions = Object.fromEntries(
    Object.entries(sources).map(([kind, { of, without }]) => {
      const { properties, required } = flatten(defs[of] ?? {}, defs);
      const names = Object.keys(properties).filter((name) => !without.includes(name));
      const own = kind === 'formulas' ? {} : written;
      const shown = Object.fromEntries(names.map((name) => [name, own[name] ?? keep(properties[name])]));
      const needed = required.filter((name) => names.includes(name));
      return [kind, { type: 'object', additionalProperties: false, required: needed, properties: shown }];
    }),
  );
  const { egress_policy, ...maps } = definitions;
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'glovebox.yaml',
    type: 'object',
    required: ['version'],
    additionalProperties: false,
    properties: {
      version: { const: 1 },
      ...Object.fromEntries(
        Object.entries(maps).map(([kind, definition]) => [
          kind,
          {
            type: 'object',
            propertyNames: { minLength: 1, maxLength: 200 },
            additionalProperties: definition,
          },
        ]),
      ),
      egress_policy,
    },
    $defs: used,
    'x-members': Object.fromEntries(
      Object.entries(definitions).map(([kind, { properties }]) => [kind, Object.keys(properties)]),
    ),
  };
  return `// Made by render-schema-main.ts. Do not edit.\nexport const schema = ${JSON.stringify(schema, undefined, 2)};\n`;
}

/** The members of a schema and of those that it consists of. */
function flatten(schema: Schema, defs: Schemas): { properties: Schemas; required: readonly string[] } {
  if (schema.$ref !== undefined) return flatten(dereference(defs, schema), defs);
  const { properties = {}, required = [], allOf = [] } = schema;
  const parts = allOf.map((part) => flatten(part, defs));
  const members = [...parts, { properties, required }];
  return {
    properties: Object.fromEntries(members.flatMap((part) => Object.entries(part.properties))),
    required: members.flatMap((part) => part.required),
  };
}
