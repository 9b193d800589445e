import { authenticateCaller } from '../authentication/authenticate.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { respondEmpty, respondJson } from '../http/respond.ts';
import type { TokenHandler } from '../tokens/tokens.ts';
import { vaultCaller, vaultWriter } from '../vault/vault-caller.ts';

/** `POST /sessions` (contract/tenants.md#sessions). A body and an idempotency key are ignored. */
export const createSession: TokenHandler = async (exchange, { published, vault }) => {
  const { apiKey } = await authenticateCaller(exchange, published);
  respondJson(exchange, 201, await vault.createSession(vaultCaller(exchange, apiKey)));
};

/** `POST /sessions/authorize`: answered with 200 and nothing (contract/errors.md#status-codes). */
export const authorizeSession: TokenHandler = async (exchange, dependencies) => {
  const { published, vault, maxBodyBytes, egressPolicy } = dependencies;
  const { apiKey } = await authenticateCaller(exchange, published);
  const caller = vaultWriter(exchange, apiKey);
  const body = await readJsonBody(exchange, maxBodyBytes);
  await vault.authorizeSession(caller, body, egressPolicy.profile === 'development');
  respondEmpty(exchange);
};
