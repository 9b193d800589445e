import { memberOf } from '@glovebox/platform/redaction/known-values';
import { Paging } from '@glovebox/protos/vault/v1/vault';

import { type Offer, json, noContent } from './bt-route.ts';
import { detokenize } from './detokenize.ts';

const paging = Paging.PAGING_NUMBERED;

const dataOf = (token: unknown) => memberOf(token, 'data');

/** Of a page. */
const dataOfEach = (page: unknown) => {
  const tokens = memberOf(page, 'data');
  return Array.isArray(tokens) ? tokens.map(dataOf) : undefined;
};

/**
 * As the gateway serves them (contract/tokens.md#operations). The search comes before what would take it for a
 * token's id.
 */
export const tokenOffers: readonly Offer[] = [
  {
    name: 'POST /tokens',
    plaintextOf: dataOf,
    perform: async ({ vault, caller, ask }) => json(201, (await vault.createToken(caller, ask.body)).json),
  },
  {
    name: 'GET /tokens',
    plaintextOf: dataOfEach,
    perform: async ({ vault, caller, ask }) =>
      json(200, await vault.listTokens(caller, { query: ask.query, paging, parentId: '' })),
  },
  {
    name: 'POST /tokens/search',
    plaintextOf: dataOfEach,
    perform: async ({ vault, caller, ask }) =>
      json(200, await vault.searchTokens(caller, { body: ask.body, paging })),
  },
  {
    name: 'GET /tokens/{id}',
    plaintextOf: dataOf,
    perform: async ({ vault, caller }, id) => json(200, (await vault.getToken(caller, id)).json),
  },
  {
    name: 'PATCH /tokens/{id}',
    plaintextOf: dataOf,
    perform: async ({ vault, caller, ask }, id) =>
      json(200, (await vault.updateToken(caller, id, ask.body)).json),
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
    perform: async ({ vault, caller, ask }, id) =>
      json(201, (await vault.createToken(caller, ask.body, id)).json),
  },
  {
    name: 'GET /tokens/{id}/children',
    plaintextOf: dataOfEach,
    perform: async ({ vault, caller, ask }, parentId) =>
      json(200, await vault.listTokens(caller, { query: ask.query, paging, parentId })),
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
    perform: async ({ vault, caller, ask }) => json(200, await vault.tokenize(caller, ask.body)),
  },
  { name: 'POST /detokenize', perform: async (offering) => json(200, await detokenize(offering)) },
];
