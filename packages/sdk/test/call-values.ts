import type { Glovebox } from '@glovebox/sdk/glovebox';

/** A call of the client, the request that it makes, and what it gives for the answer. */
export interface Row {
  readonly call: (client: Glovebox) => Promise<unknown>;
  /** Method, path and query. */
  readonly is: string;
  readonly sent?: unknown;
  /** 204 with no body, unless there is something. */
  readonly answers?: unknown;
  readonly gives?: unknown;
  readonly type?: string;
}

export const pagination = { total_items: 1, page_number: 1, page_size: 20, total_pages: 1 };
export const camelPagination = { totalItems: 1, pageNumber: 1, pageSize: 20, totalPages: 1 };

export const model = {
  id: 'a_B',
  type: 'token' as const,
  data: { camelCase: 1, snake_case: [{ someKey: 2 }] },
  metadata: { userId: '5', user_id: '6' },
  mask: { cardNumber: '{{ data.camelCase }}' },
  fingerprintExpression: '{{ data }}',
  deduplicateToken: true,
  searchIndexes: ['{{ data.x }}'],
};
export const wireModel = {
  id: 'a_B',
  type: 'token',
  data: { camelCase: 1, snake_case: [{ someKey: 2 }] },
  metadata: { userId: '5', user_id: '6' },
  mask: { card_number: '{{ data.camelCase }}' },
  fingerprint_expression: '{{ data }}',
  deduplicate_token: true,
  search_indexes: ['{{ data.x }}'],
};
export const wireToken = {
  ...wireModel,
  tenant_id: 't',
  created_at: '2022-12-19T19:20:43.7334616+00:00',
  _extras: { deduplicated: true },
};
export const token = {
  ...model,
  tenantId: 't',
  createdAt: '2022-12-19T19:20:43.7334616+00:00',
  extras: { deduplicated: true },
};
export const ofToken = { answers: wireToken, gives: token };
export const tokenPage = {
  answers: { pagination, data: [wireToken] },
  gives: { pagination: camelPagination, data: [token] },
};

export const configured = {
  answers: {
    id: 'r',
    tenant_id: 't',
    configuration: { API_KEY: 'a', snake_case: 'b', camelCase: 'c' },
    application: { id: 'x', created_by: 'y' },
    formula: { request_parameters: [{ name: 'some_name' }], configuration: [{ some_key: 1 }] },
  },
  gives: {
    id: 'r',
    tenantId: 't',
    configuration: { API_KEY: 'a', snake_case: 'b', camelCase: 'c' },
    application: { id: 'x', createdBy: 'y' },
    formula: { requestParameters: [{ name: 'some_name' }], configuration: [{ someKey: 1 }] },
  },
};
export const configuredPage = {
  answers: { pagination, data: [configured.answers] },
  gives: { pagination: camelPagination, data: [configured.gives] },
};
const marks = { API_KEY: { changed: true }, snake_case: { changed: false } };
export const version = {
  answers: { version: 2, created_by: 'a', definition: { require_auth: true, configuration: marks } },
  gives: { version: 2, createdBy: 'a', definition: { requireAuth: true, configuration: marks } },
};
export const versionPage = {
  answers: { pagination: { page_size: 20, next: 'n' }, data: [version.answers] },
  gives: { pagination: { pageSize: 20, next: 'n' }, data: [version.gives] },
};
export const plain = { answers: { some_key: [{ inner_key: 1 }] }, gives: { someKey: [{ innerKey: 1 }] } };
export const plainPage = {
  answers: { pagination, data: [plain.answers] },
  gives: { pagination: camelPagination, data: [plain.gives] },
};
export const plainArray = { answers: [plain.answers], gives: [plain.gives] };
export const raw = { answers: { some_key: { someKey: 1 } }, gives: { some_key: { someKey: 1 } } };
export const nothing = { gives: undefined };
export const emptied = { gives: {} };

export const rules = [
  { priority: 1, container: '/pci/', transform: 'mask' as const, permissions: ['token:read'] },
];
export const proxyModel = {
  name: 'p',
  destinationUrl: 'https://example.com',
  requestTransform: { code: 'some_code' },
  responseTransform: null,
  configuration: { someKey: 'v' },
  application: { id: 'x' },
  requireAuth: false,
};
export const wireProxy = {
  name: 'p',
  destination_url: 'https://example.com',
  request_transform: { code: 'some_code' },
  response_transform: null,
  configuration: { someKey: 'v' },
  application: { id: 'x' },
  require_auth: false,
};
export const formula = {
  name: 'f',
  type: 'private' as const,
  code: 'module.exports = 1',
  configuration: [{ name: 'SOME_key', type: 'string' as const }],
  requestParameters: [{ name: 'card.someNumber', type: 'string' as const, optional: true }],
};
export const wireFormula = {
  name: 'f',
  type: 'private',
  code: 'module.exports = 1',
  configuration: [{ name: 'SOME_key', type: 'string' }],
  request_parameters: [{ name: 'card.someNumber', type: 'string', optional: true }],
};
export const reactor = {
  name: 'r',
  configuration: { someKey: 1, other_key: 'x' },
  formula: { id: 'f' },
  application: { id: 'x' },
};
const { formula: _, ...update } = reactor;
export const reactorUpdate = update;
export const merge = 'application/merge-patch+json';

export type Table = Readonly<Record<string, Readonly<Record<string, Row>>>>;
