import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { AppError } from '@glovebox/platform/errors/app-error';
import { Paging } from '@glovebox/protos/vault/v1/vault';
import type { PublishedLookups } from '@glovebox/published/published-lookups';
import type { VaultCaller, VaultClient } from '@glovebox/vault-client/vault-client';

import { authenticateTokenCaller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBody, readMergePatch } from '../http/read-json-body.ts';
import { respondJson, respondNoContent } from '../http/respond.ts';
import type { Handler } from '../http/router.ts';
import { vaultCaller, vaultWriter } from '../vault/vault-caller.ts';

export interface TokenDependencies {
  readonly published: PublishedLookups;
  readonly vault: VaultClient;
  readonly egressPolicy: EgressPolicy;
  readonly maxBodyBytes: number;
  /** Of a body with the values of its expressions in it. */
  readonly maxFilledBytes: number;
}

export type TokenHandler = Handler<TokenDependencies>;

/** `POST /tokens` (contract/tokens.md#operations). */
export const createToken: TokenHandler = (exchange, dependencies) =>
  respondCreated(exchange, dependencies, '');

/** `POST /tokens/{id}/children`. */
export const createChild: TokenHandler = (exchange, dependencies, parent) =>
  respondCreated(exchange, dependencies, readTokenId(parent));

async function respondCreated(
  exchange: Exchange,
  dependencies: TokenDependencies,
  parentId: string,
): Promise<void> {
  const caller = await authenticateWriter(exchange, dependencies);
  const body = await readJsonBody(exchange, dependencies.maxBodyBytes);
  const token = await dependencies.vault.createToken(caller, body, parentId);
  respondJson(exchange, 201, token.json, ['Location', `/tokens/${encodeURIComponent(token.id)}`]);
}

/** `GET /tokens`: pages by number, or by cursor for a client that names one. */
export const listTokens: TokenHandler = (exchange, dependencies) =>
  respondList(exchange, dependencies, Paging.PAGING_NUMBERED, '');

/** `GET /v2/tokens`: by cursor, in the order of containers. */
export const listTokensByCursor: TokenHandler = (exchange, dependencies) =>
  respondList(exchange, dependencies, Paging.PAGING_CURSOR, '');

/** `GET /tokens/{id}/children`. */
export const listChildren: TokenHandler = (exchange, dependencies, parent) =>
  respondList(exchange, dependencies, Paging.PAGING_NUMBERED, readTokenId(parent));

async function respondList(
  exchange: Exchange,
  dependencies: TokenDependencies,
  paging: Paging,
  parentId: string,
): Promise<void> {
  const caller = await authenticateReader(exchange, dependencies);
  const { query } = exchange.target;
  respondJson(exchange, 200, await dependencies.vault.listTokens(caller, { query, paging, parentId }));
}

/** `POST /tokens/search` (contract/tokens.md#search). */
export const searchTokens: TokenHandler = (exchange, dependencies) =>
  respondSearch(exchange, dependencies, Paging.PAGING_NUMBERED);

/** `POST /v2/tokens/search`. */
export const searchTokensByCursor: TokenHandler = (exchange, dependencies) =>
  respondSearch(exchange, dependencies, Paging.PAGING_CURSOR);

async function respondSearch(
  exchange: Exchange,
  dependencies: TokenDependencies,
  paging: Paging,
): Promise<void> {
  const caller = await authenticateReader(exchange, dependencies);
  const body = await readJsonBody(exchange, dependencies.maxBodyBytes);
  respondJson(exchange, 200, await dependencies.vault.searchTokens(caller, { body, paging }));
}

/** `GET /tokens/{id}`. */
export const getToken: TokenHandler = async (exchange, dependencies, id) => {
  const caller = await authenticateReader(exchange, dependencies);
  const token = await dependencies.vault.getToken(caller, readTokenId(id));
  respondJson(exchange, 200, token.json);
};

/** `PATCH /tokens/{id}`. */
export const updateToken: TokenHandler = async (exchange, dependencies, id) => {
  const caller = await authenticateWriter(exchange, dependencies);
  const patch = await readMergePatch(exchange, dependencies.maxBodyBytes);
  const token = await dependencies.vault.updateToken(caller, readTokenId(id), patch);
  respondJson(exchange, 200, token.json);
};

/** `DELETE /tokens/{id}`. */
export const deleteToken: TokenHandler = async (exchange, dependencies, id) => {
  const caller = await authenticateReader(exchange, dependencies);
  await dependencies.vault.deleteToken(caller, readTokenId(id));
  respondNoContent(exchange);
};

/** `POST /tokens/{id}/children/{id}`. */
export const associate: TokenHandler = async (exchange, dependencies, parent, child) => {
  const caller = await authenticateWriter(exchange, dependencies);
  const association = { parentId: readTokenId(parent), childId: readTokenId(child) };
  await dependencies.vault.associateTokens(caller, association);
  respondNoContent(exchange);
};

/** `DELETE /tokens/{id}/children/{id}`. */
export const dissociate: TokenHandler = async (exchange, dependencies, parent, child) => {
  const caller = await authenticateReader(exchange, dependencies);
  const association = { parentId: readTokenId(parent), childId: readTokenId(child) };
  await dependencies.vault.dissociateTokens(caller, association);
  respondNoContent(exchange);
};

/** `POST /tokenize` (contract/tokens.md#tokenize). */
export const tokenize: TokenHandler = async (exchange, dependencies) => {
  const caller = await authenticateWriter(exchange, dependencies);
  const body = await readJsonBody(exchange, dependencies.maxBodyBytes);
  respondJson(exchange, 200, await dependencies.vault.tokenize(caller, body));
};

/** The vault authorizes the caller. */
export async function authenticateReader(
  exchange: Exchange,
  { published }: TokenDependencies,
): Promise<VaultCaller> {
  return vaultCaller(exchange, (await authenticateTokenCaller(exchange, published)).apiKey);
}

export async function authenticateWriter(
  exchange: Exchange,
  { published }: TokenDependencies,
): Promise<VaultCaller> {
  return vaultWriter(exchange, (await authenticateTokenCaller(exchange, published)).apiKey);
}

/** No token of the vault has a longer id. */
const longestId = 440;

/**
 * The token id of a path such as `/tokens/<id>`; ids are free text and arrive percent-encoded
 * (contract/tokens.md#token-ids).
 * @throws AppError `not_found` for text that cannot be an id.
 */
export function readTokenId(encoded: string): string {
  try {
    const id = decodeURIComponent(encoded);
    if (id !== '' && id.length <= longestId) return id;
  } catch {
    // Malformed percent-encoding names no token.
  }
  throw new AppError('not_found', 'There is no token with this id.');
}
