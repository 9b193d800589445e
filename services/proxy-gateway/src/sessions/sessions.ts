import type { PublishedRecords } from '@glovebox/published/published-records';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { identifyCaller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBytes } from '../http/read-json-body.ts';
import { respondEmpty, respondJson } from '../http/respond.ts';
import { vaultCaller, vaultWriter } from '../vault/vault-caller.ts';

export interface SessionRoutes {
  readonly registry: PublishedRecords;
  readonly vault: VaultClient;
  readonly maxBodyBytes: number;
}

/**
 * `POST /sessions` (contract/tenants.md#sessions). Whatever is sent with it is of no interest, an idempotency key
 * neither.
 */
export async function createSession(exchange: Exchange, routes: SessionRoutes): Promise<void> {
  const apiKey = await identify(exchange, routes);
  respondJson(exchange, 201, await routes.vault.createSession(vaultCaller(exchange, apiKey)));
}

/** `POST /sessions/authorize`: answered with 200 and nothing (contract/errors.md#status-codes). */
export async function authorizeSession(exchange: Exchange, routes: SessionRoutes): Promise<void> {
  const caller = vaultWriter(exchange, await identify(exchange, routes));
  await routes.vault.authorizeSession(caller, await readJsonBytes(exchange, routes.maxBodyBytes));
  respondEmpty(exchange);
}

/** The vault judges the caller: an attempt that it refuses is recorded. */
async function identify(exchange: Exchange, { registry }: SessionRoutes): Promise<string> {
  const { principal, apiKey } = await identifyCaller(exchange, registry);
  exchange.notes.tenantId = principal.tenantId;
  exchange.notes.applicationId = principal.applicationId;
  return apiKey;
}
