import { authenticateCaller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonOrFormBody } from '../http/read-json-body.ts';
import { respondJson, respondNoContent } from '../http/respond.ts';
import { vaultCaller, vaultWriter } from '../vault/vault-caller.ts';
import type { TokenDependencies, TokenHandler } from './tokens.ts';

/** `POST /keys`: a key pair to whose public half clients encrypt. The body may be missing. */
export const createKey: TokenHandler = async (exchange, dependencies) => {
  const caller = vaultWriter(exchange, await apiKeyOf(exchange, dependencies));
  const key = await dependencies.vault.createKey(
    caller,
    await readJsonOrFormBody(exchange, dependencies.maxBodyBytes),
  );
  respondJson(exchange, 201, key.json, ['Location', `/keys/${key.id}`]);
};

/** `GET /keys`. */
export const listKeys: TokenHandler = async (exchange, dependencies) => {
  const caller = vaultCaller(exchange, await apiKeyOf(exchange, dependencies));
  respondJson(exchange, 200, await dependencies.vault.listKeys(caller, exchange.target.query));
};

/** `GET /keys/{id}`. */
export const getKey: TokenHandler = async (exchange, dependencies, id) => {
  const caller = vaultCaller(exchange, await apiKeyOf(exchange, dependencies));
  respondJson(exchange, 200, (await dependencies.vault.getKey(caller, id)).json);
};

/** `DELETE /keys/{id}`. */
export const deleteKey: TokenHandler = async (exchange, dependencies, id) => {
  const caller = vaultCaller(exchange, await apiKeyOf(exchange, dependencies));
  await dependencies.vault.deleteKey(caller, id);
  respondNoContent(exchange);
};

/** The vault authorizes the caller, of whatever type its application is: it records an attempt that it refuses. */
async function apiKeyOf(exchange: Exchange, { published }: TokenDependencies): Promise<string> {
  return (await authenticateCaller(exchange, published)).apiKey;
}
