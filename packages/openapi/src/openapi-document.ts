export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;
export type Method = (typeof methods)[number];

/** As much of OpenAPI 3.1 as the product's own document uses, and its extensions. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly description?: string };
  readonly servers: readonly object[];
  readonly security: readonly object[];
  /** What people do, in the order in which they come to it, with the tags that belong to it. */
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  /** In the order of the groups. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By templates such as `/proxies/{id}`. */
  readonly paths: Readonly<Record<string, PathItem>>;
  /** What the service sends, by a name each. */
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}

export interface PathItem extends Partial<Readonly<Record<Method, Operation>>> {
  readonly parameters?: readonly (Parameter | Reference)[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** One permission, several that all are needed, `any-key` for any valid key, or `none` for no key at all. */
  readonly 'x-permission': string | readonly string[];
  /** Enough in place of the other. */
  readonly 'x-or-permission'?: string;
  /** Which answers are not the service's own, so that the responses say nothing about them. */
  readonly 'x-raw'?: string;
  /** Of what could take an idempotency key, and does not. */
  readonly 'x-idempotency-key'?: 'ignored';
  /** Empty: no key is asked for. Absent: the document's. */
  readonly security?: readonly object[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  /** By status. */
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
  /** In place of a schema. */
  readonly content?: Content;
  readonly example?: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export interface Header {
  readonly required?: boolean;
  readonly schema: Schema;
}

/** By media type or range. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

/** A JSON Schema (draft 2020-12), with the keywords that the document uses. */
export interface Schema extends Partial<Reference> {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

export interface Reference {
  readonly $ref: string;
}

export interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly securitySchemes: Readonly<Record<string, object>>;
}
