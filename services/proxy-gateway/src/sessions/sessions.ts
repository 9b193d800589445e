import { authenticateCaller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { respondEmpty, respondJson } from '../http/respond.ts';
import type { TokenDependencies } from '../tokens/tokens.ts';
import { vaultCaller, vaultWriter } from '../vault/vault-caller.ts';

type SessionDependencies = Pick<TokenDependencies, 'published' | 'vault' | 'maxBodyBytes'>;

/** `POST /sessions` (contract/tenants.md#sessions). A body and an idempotency key are ignored. */
export async function createSession(
  exchange: Exchange,
  { published, vault }: SessionDependencies,
): Promise<void> {
  const { apiKey } = await authenticateCaller(exchange, published);
  respondJson(exchange, 201, await vault.createSession(vaultCaller(exchange, apiKey)));
}

/** `POST /sessions/authorize`: answered with 200 and nothing (contract/errors.md#status-codes). */
export async function authorizeSession(
  exchange: Exchange,
  { published, vault, maxBodyBytes }: SessionDependencies,
): Promise<void> {
  const { apiKey } = await authenticateCaller(exchange, published);
  const caller = vaultWriter(exchange, apiKey);
  await vault.authorizeSession(caller, await readJsonBody(exchange, maxBodyBytes));
  respondEmpty(exchange);
}
