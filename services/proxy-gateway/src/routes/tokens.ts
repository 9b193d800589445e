import type { Registry } from '@glovebox/published/registry';
import type { VaultCaller, VaultClient } from '@glovebox/vault-client/vault-client';

import { identifyTokenCaller } from '../caller/identify-token-caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { readTokenId } from '../http/read-token-id.ts';
import { respondJson, respondNoContent } from '../http/respond.ts';
import { readJsonBytes } from '../request/read-json-bytes.ts';
import { vaultCaller } from '../vault/vault-caller.ts';

export interface TokenRoutes {
  readonly registry: Registry;
  readonly vault: VaultClient;
  readonly maxBodyBytes: number;
}

/** `POST /tokens` (api-facts section 3.3). */
export async function createToken(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  const caller = await identify(exchange, routes.registry);
  const body = await readJsonBytes(exchange, routes.maxBodyBytes);
  const token = await routes.vault.createToken(caller, body);
  respondJson(exchange, 201, token.json, ['Location', `/tokens/${encodeURIComponent(token.id)}`]);
}

/** `GET /tokens/{id}`. */
export async function getToken(exchange: Exchange, routes: TokenRoutes, encodedId: string): Promise<void> {
  const caller = await identify(exchange, routes.registry);
  const token = await routes.vault.getToken(caller, readTokenId(encodedId));
  respondJson(exchange, 200, token.json);
}

/** `DELETE /tokens/{id}`. */
export async function deleteToken(exchange: Exchange, routes: TokenRoutes, encodedId: string): Promise<void> {
  const caller = await identify(exchange, routes.registry);
  await routes.vault.deleteToken(caller, readTokenId(encodedId));
  respondNoContent(exchange);
}

/** `POST /tokenize` (api-facts section 3.6). */
export async function tokenize(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  const caller = await identify(exchange, routes.registry);
  const body = await readJsonBytes(exchange, routes.maxBodyBytes);
  respondJson(exchange, 200, await routes.vault.tokenize(caller, body));
}

/** What the caller may do the vault decides. */
async function identify(exchange: Exchange, registry: Registry): Promise<VaultCaller> {
  const { apiKey } = await identifyTokenCaller(exchange, registry);
  return vaultCaller(exchange, apiKey);
}
