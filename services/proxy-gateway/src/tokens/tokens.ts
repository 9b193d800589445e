import { Paging } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { VaultCaller, VaultClient } from '@glovebox/vault-client/vault-client';

import { identifyTokenCaller } from '../authentication/identify-token-caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBytes, readMergePatch } from '../http/read-json-body.ts';
import { respondJson, respondNoContent } from '../http/respond.ts';
import { vaultCaller, vaultWriter } from '../vault/vault-caller.ts';
import { readTokenId } from './read-token-id.ts';

export interface TokenRoutes {
  readonly registry: PublishedRecords;
  readonly vault: VaultClient;
  readonly maxBodyBytes: number;
  /** Of a body with the values of its expressions in it. */
  readonly maxFilledBytes: number;
}

/** `POST /tokens` (contract/tokens.md#operations). */
export async function createToken(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  await respondCreated(exchange, routes, '');
}

/** `POST /tokens/{id}/children`. */
export async function createChild(exchange: Exchange, routes: TokenRoutes, parent: string): Promise<void> {
  await respondCreated(exchange, routes, readTokenId(parent));
}

async function respondCreated(exchange: Exchange, routes: TokenRoutes, parentId: string): Promise<void> {
  const caller = await identifyWriter(exchange, routes);
  const body = await readJsonBytes(exchange, routes.maxBodyBytes);
  const token = await routes.vault.createToken(caller, body, parentId);
  respondJson(exchange, 201, token.json, ['Location', `/tokens/${encodeURIComponent(token.id)}`]);
}

/** `GET /tokens`: pages by number, or by cursor for a client that names one. */
export async function listTokens(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  await respondList(exchange, routes, Paging.PAGING_NUMBERED, '');
}

/** `GET /v2/tokens`: by cursor, in the order of containers. */
export async function listTokensByCursor(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  await respondList(exchange, routes, Paging.PAGING_CURSOR, '');
}

/** `GET /tokens/{id}/children`. */
export async function listChildren(exchange: Exchange, routes: TokenRoutes, parent: string): Promise<void> {
  await respondList(exchange, routes, Paging.PAGING_NUMBERED, readTokenId(parent));
}

async function respondList(
  exchange: Exchange,
  routes: TokenRoutes,
  paging: Paging,
  parentId: string,
): Promise<void> {
  const caller = await identify(exchange, routes);
  const { query } = exchange.target;
  respondJson(exchange, 200, await routes.vault.listTokens(caller, { query, paging, parentId }));
}

/** `POST /tokens/search` (contract/tokens.md#search). */
export async function searchTokens(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  await respondSearch(exchange, routes, Paging.PAGING_NUMBERED);
}

/** `POST /v2/tokens/search`. */
export async function searchTokensByCursor(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  await respondSearch(exchange, routes, Paging.PAGING_CURSOR);
}

async function respondSearch(exchange: Exchange, routes: TokenRoutes, paging: Paging): Promise<void> {
  const caller = await identify(exchange, routes);
  const body = await readJsonBytes(exchange, routes.maxBodyBytes);
  respondJson(exchange, 200, await routes.vault.searchTokens(caller, { body, paging }));
}

/** `GET /tokens/{id}`. */
export async function getToken(exchange: Exchange, routes: TokenRoutes, id: string): Promise<void> {
  const caller = await identify(exchange, routes);
  const token = await routes.vault.getToken(caller, readTokenId(id));
  respondJson(exchange, 200, token.json);
}

/** `PATCH /tokens/{id}`. */
export async function updateToken(exchange: Exchange, routes: TokenRoutes, id: string): Promise<void> {
  const caller = await identifyWriter(exchange, routes);
  const patch = await readMergePatch(exchange, routes.maxBodyBytes);
  const token = await routes.vault.updateToken(caller, readTokenId(id), patch);
  respondJson(exchange, 200, token.json);
}

/** `DELETE /tokens/{id}`. */
export async function deleteToken(exchange: Exchange, routes: TokenRoutes, id: string): Promise<void> {
  const caller = await identify(exchange, routes);
  await routes.vault.deleteToken(caller, readTokenId(id));
  respondNoContent(exchange);
}

/** `POST /tokens/{id}/children/{id}`. */
export async function associate(
  exchange: Exchange,
  routes: TokenRoutes,
  parent: string,
  child: string,
): Promise<void> {
  const caller = await identifyWriter(exchange, routes);
  const association = { parentId: readTokenId(parent), childId: readTokenId(child) };
  await routes.vault.associateTokens(caller, association);
  respondNoContent(exchange);
}

/** `DELETE /tokens/{id}/children/{id}`. */
export async function dissociate(
  exchange: Exchange,
  routes: TokenRoutes,
  parent: string,
  child: string,
): Promise<void> {
  const caller = await identify(exchange, routes);
  const association = { parentId: readTokenId(parent), childId: readTokenId(child) };
  await routes.vault.dissociateTokens(caller, association);
  respondNoContent(exchange);
}

/** `POST /tokenize` (contract/tokens.md#tokenize). */
export async function tokenize(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  const caller = await identifyWriter(exchange, routes);
  const body = await readJsonBytes(exchange, routes.maxBodyBytes);
  respondJson(exchange, 200, await routes.vault.tokenize(caller, body));
}

/** What the caller may do the vault decides. */
export async function identify(exchange: Exchange, { registry }: TokenRoutes): Promise<VaultCaller> {
  const { apiKey } = await identifyTokenCaller(exchange, registry);
  return vaultCaller(exchange, apiKey);
}

export async function identifyWriter(exchange: Exchange, { registry }: TokenRoutes): Promise<VaultCaller> {
  const { apiKey } = await identifyTokenCaller(exchange, registry);
  return vaultWriter(exchange, apiKey);
}
