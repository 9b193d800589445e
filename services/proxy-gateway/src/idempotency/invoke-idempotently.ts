import { scopeOf } from '@glovebox/platform/db/idempotent-transaction';
import { AppError } from '@glovebox/platform/errors/app-error';
import { checkIdempotencyKey, replayHeader } from '@glovebox/platform/http/idempotency-key';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { Caller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { respondRaw } from '../http/respond-raw.ts';
import { vaultCaller } from '../vault/vault-caller.ts';
import type { Claim, Claims } from './claims.ts';
import { type Effects, isKnownFailure, newEffects, untracked } from './invocation-progress.ts';
import { type Recorded, recordResponse } from './record-response.ts';
import { decodeAnswer, encodeAnswer } from './stored-answer.ts';

export interface OnceRoute {
  readonly claims: Claims;
  readonly vault: VaultClient;
  /** Of an answer that can be given again. */
  readonly maxAnswerBytes: number;
}

type Invoke = (effects: Effects) => Promise<void>;

/**
 * Invokes a proxy or reactor; once for each idempotency key, if the caller has opted in by sending one with POST, PUT
 * or PATCH. What may have taken effect is never done again by itself (docs/idempotency.md).
 *
 * @param about what is invoked, beside the path
 */
export function invokeOnce(
  exchange: Exchange,
  caller: Caller | undefined,
  about: string,
  route: OnceRoute,
  invoke: Invoke,
): Promise<void> {
  const { idempotencyKey } = exchange.headers;
  if (idempotencyKey === undefined || !keyedMethods.has(exchange.request.method ?? '')) {
    return invoke(untracked);
  }
  return invokeKeyed(exchange, caller, [about, checkIdempotencyKey(idempotencyKey) ?? ''], route, invoke);
}

const keyedMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

async function invokeKeyed(
  exchange: Exchange,
  caller: Caller | undefined,
  aboutAndKey: readonly string[],
  route: OnceRoute,
  invoke: Invoke,
): Promise<void> {
  if (caller === undefined || caller.principal.applicationType === 'public') throw anyone();
  const { tenantId, applicationId } = caller.principal;
  const path = exchange.target.path.replace(/\/+$/, '');
  const scope = scopeOf(tenantId, applicationId, exchange.request.method ?? '', path, ...aboutAndKey);
  const taken = await route.claims.take(scope);
  const sealer = { vault: route.vault, caller: vaultCaller(exchange, caller.apiKey), scope };
  if (Buffer.isBuffer(taken)) return replay(exchange, sealer, taken);

  const effects = newEffects(scope);
  const recorded = recordResponse(exchange.response, route.maxAnswerBytes, (response) =>
    settle(taken, response, sealer),
  );
  try {
    await invoke(effects);
    await recorded.ended;
  } catch (error) {
    recorded.stop();
    await (isKnownFailure(effects.reached, error) ? taken.release() : taken.abandon());
    throw error;
  }
}

interface Sealer {
  readonly vault: VaultClient;
  readonly caller: ReturnType<typeof vaultCaller>;
  readonly scope: Buffer;
}

async function replay(exchange: Exchange, { vault, caller, scope }: Sealer, sealed: Buffer): Promise<void> {
  const answer = decodeAnswer(await vault.openAnswer(caller, scope, sealed));
  respondRaw(exchange, { ...answer, headers: [...answer.headers, replayHeader, 'true'] });
}

/** A success is kept. Anything else has failed, whoever says so, and may be tried again. */
async function settle(
  claim: Claim,
  { body, ...head }: Recorded,
  { vault, caller, scope }: Sealer,
): Promise<void> {
  if (head.status >= 400) return claim.release();
  if (body === undefined) return claim.answer(undefined);
  try {
    // Kept even if its client has gone away.
    const patient = { ...caller, signal: new AbortController().signal };
    await claim.answer(await vault.sealAnswer(patient, scope, encodeAnswer({ ...head, body })));
  } catch {
    await claim.abandon();
  }
}

/** What one of them was answered is not for the next. */
function anyone(): AppError {
  return new AppError(
    'invalid_argument',
    'An idempotency key needs an API key that is no public application’s: other callers cannot be told from each other.',
  );
}
