import { findExpressions } from '@glovebox/expressions/find-expressions';
import { memberOf } from '@glovebox/platform/redaction/known-values';
import { Paging, UsePurpose } from '@glovebox/protos/vault/v1/vault';

import { translated } from '../invocation/detokenize-args.ts';
import type { BtResponse } from './bt-request.ts';
import { type BtCall, type BtRoute, json } from './bt-route.ts';

const paging = Paging.PAGING_NUMBERED;

const dataOf = (token: unknown) => memberOf(token, 'data');

/** Of a page. */
const dataOfEach = (page: unknown) => {
  const tokens = memberOf(page, 'data');
  return Array.isArray(tokens) ? tokens.map(dataOf) : undefined;
};

/** As the gateway serves them (contract/tokens.md#operations). The search comes first: its path also matches a token's id. */
export const tokenRoutes: readonly BtRoute[] = [
  {
    name: 'POST /tokens',
    plaintextOf: dataOf,
    perform: async ({ vault, caller, request }) =>
      json(201, (await vault.createToken(caller, request.body)).json),
  },
  {
    name: 'GET /tokens',
    plaintextOf: dataOfEach,
    perform: async ({ vault, caller, request }) =>
      json(200, await vault.listTokens(caller, { query: request.query, paging, parentId: '' })),
  },
  {
    name: 'POST /tokens/search',
    plaintextOf: dataOfEach,
    perform: async ({ vault, caller, request }) =>
      json(200, await vault.searchTokens(caller, { body: request.body, paging })),
  },
  {
    name: 'GET /tokens/{id}',
    plaintextOf: dataOf,
    perform: async ({ vault, caller }, id) => json(200, (await vault.getToken(caller, id)).json),
  },
  {
    name: 'PATCH /tokens/{id}',
    plaintextOf: dataOf,
    perform: async ({ vault, caller, request }, id) =>
      json(200, (await vault.updateToken(caller, id, request.body)).json),
  },
  {
    name: 'DELETE /tokens/{id}',
    async perform({ vault, caller }, id) {
      await vault.deleteToken(caller, id);
      return noContent();
    },
  },
  {
    name: 'POST /tokens/{id}/children',
    plaintextOf: dataOf,
    perform: async ({ vault, caller, request }, id) =>
      json(201, (await vault.createToken(caller, request.body, id)).json),
  },
  {
    name: 'GET /tokens/{id}/children',
    plaintextOf: dataOfEach,
    perform: async ({ vault, caller, request }, parentId) =>
      json(200, await vault.listTokens(caller, { query: request.query, paging, parentId })),
  },
  {
    name: 'POST /tokens/{id}/children/{id}',
    async perform({ vault, caller }, parentId, childId) {
      await vault.associateTokens(caller, { parentId, childId });
      return noContent();
    },
  },
  {
    name: 'DELETE /tokens/{id}/children/{id}',
    async perform({ vault, caller }, parentId, childId) {
      await vault.dissociateTokens(caller, { parentId, childId });
      return noContent();
    },
  },
  {
    name: 'POST /tokenize',
    perform: async ({ vault, caller, request }) => json(200, await vault.tokenize(caller, request.body)),
  },
  { name: 'POST /detokenize', perform: async (call) => json(200, await detokenize(call)) },
];

function noContent(): BtResponse {
  return { status: 204, headers: {}, body: Buffer.alloc(0) };
}

/**
 * Replaces every expression in the body by its value (contract/tokens.md#detokenize). The vault is asked even when the body has
 * none: it decides whether the caller may ask.
 */
async function detokenize({ vault, caller, request, expressions, maxBytes, known }: BtCall): Promise<Buffer> {
  const bounds = { ...expressions, maxFilledBytes: maxBytes };
  const found = translated(() => findExpressions({ kind: 'json', utf8: true }, request.body, bounds, true));
  const { values } = await vault.detokenize(caller, {
    expressions: [...found.expressions],
    purpose: UsePurpose.USE_PURPOSE_DETOKENIZE,
    purposeId: '',
  });
  for (const value of values) known.add(value);
  return translated(() => found.fill(values));
}
