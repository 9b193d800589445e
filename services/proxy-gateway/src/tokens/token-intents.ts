import { readJsonBody } from '../http/read-json-body.ts';
import { respondJson, respondNoContent } from '../http/respond.ts';
import { type TokenHandler, authenticateReader, authenticateWriter, readTokenId } from './tokens.ts';

/**
 * `POST /token-intents`: a value for a day, which only expressions reach (contract/expressions.md#forms and
 * contract/clients.md#call-table).
 */
export const createTokenIntent: TokenHandler = async (exchange, dependencies) => {
  const caller = await authenticateWriter(exchange, dependencies);
  const body = await readJsonBody(exchange, dependencies.maxBodyBytes);
  const intent = await dependencies.vault.createTokenIntent(caller, body);
  respondJson(exchange, 201, intent.json, ['Location', `/token-intents/${intent.id}`]);
};

/** `DELETE /token-intents/{id}`. */
export const deleteTokenIntent: TokenHandler = async (exchange, dependencies, id) => {
  const caller = await authenticateReader(exchange, dependencies);
  await dependencies.vault.deleteTokenIntent(caller, readTokenId(id));
  respondNoContent(exchange);
};
