import { identifyCaller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { readBytesAsJson } from '../http/read-json-body.ts';
import { respondJson, respondNoContent } from '../http/respond.ts';
import { vaultCaller, vaultWriter } from '../vault/vault-caller.ts';
import type { TokenRoutes } from './tokens.ts';

/** `POST /keys`: a key pair to whose public half clients encrypt. The body may be missing. */
export async function createKey(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  const caller = vaultWriter(exchange, await identify(exchange, routes));
  const key = await routes.vault.createKey(caller, await readBytesAsJson(exchange, routes.maxBodyBytes));
  respondJson(exchange, 201, key.json, ['Location', `/keys/${key.id}`]);
}

/** `GET /keys`. */
export async function listKeys(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  const caller = vaultCaller(exchange, await identify(exchange, routes));
  respondJson(exchange, 200, await routes.vault.listKeys(caller, exchange.target.query));
}

/** `GET /keys/{id}`. */
export async function getKey(exchange: Exchange, routes: TokenRoutes, id: string): Promise<void> {
  const caller = vaultCaller(exchange, await identify(exchange, routes));
  respondJson(exchange, 200, (await routes.vault.getKey(caller, id)).json);
}

/** `DELETE /keys/{id}`. */
export async function deleteKey(exchange: Exchange, routes: TokenRoutes, id: string): Promise<void> {
  const caller = vaultCaller(exchange, await identify(exchange, routes));
  await routes.vault.deleteKey(caller, id);
  respondNoContent(exchange);
}

/** The vault judges the caller, whatever kind of application it is: an attempt that it refuses is recorded. */
async function identify(exchange: Exchange, { registry }: TokenRoutes): Promise<string> {
  const { principal, apiKey } = await identifyCaller(exchange, registry);
  exchange.notes.tenantId = principal.tenantId;
  exchange.notes.applicationId = principal.applicationId;
  return apiKey;
}
