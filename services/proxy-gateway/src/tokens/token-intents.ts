import type { Exchange } from '../http/exchange.ts';
import { readJsonBytes } from '../http/read-json-body.ts';
import { respondJson, respondNoContent } from '../http/respond.ts';
import { readTokenId } from './read-token-id.ts';
import { type TokenRoutes, identify, identifyWriter } from './tokens.ts';

/**
 * `POST /token-intents`: a value for a day, which only expressions reach (contract/expressions.md#forms and
 * contract/clients.md#call-table).
 */
export async function createTokenIntent(exchange: Exchange, routes: TokenRoutes): Promise<void> {
  const caller = await identifyWriter(exchange, routes);
  const body = await readJsonBytes(exchange, routes.maxBodyBytes);
  const intent = await routes.vault.createTokenIntent(caller, body);
  respondJson(exchange, 201, intent.json, ['Location', `/token-intents/${intent.id}`]);
}

/** `DELETE /token-intents/{id}`. */
export async function deleteTokenIntent(exchange: Exchange, routes: TokenRoutes, id: string): Promise<void> {
  const caller = await identify(exchange, routes);
  await routes.vault.deleteTokenIntent(caller, readTokenId(id));
  respondNoContent(exchange);
}
