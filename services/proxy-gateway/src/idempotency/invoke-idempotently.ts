import { scopeOf } from '@glovebox/platform/db/idempotent-transaction';
import { AppError } from '@glovebox/platform/errors/app-error';
import { checkIdempotencyKey, replayHeader } from '@glovebox/platform/http/idempotency-key';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { AuthenticatedCaller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendResponse } from '../http/respond.ts';
import { vaultCaller } from '../vault/vault-caller.ts';
import type { Claim, Claims } from './claims.ts';
import { type InvocationProgress, isKnownFailure, trackProgress, untracked } from './invocation-progress.ts';
import { type Recorded, recordResponse } from './record-response.ts';
import { decodeAnswer, encodeAnswer } from './stored-answer.ts';

export interface IdempotencyDependencies {
  readonly claims: Pick<Claims, 'take'>;
  readonly vault: VaultClient;
  /** Of an answer that is stored. */
  readonly maxAnswerBytes: number;
}

type Invoke = (progress: InvocationProgress) => Promise<void>;

/**
 * Invokes a proxy or reactor; once for each idempotency key, if the caller has opted in by sending one with POST, PUT
 * or PATCH. What may have taken effect is never repeated (docs/idempotency.md).
 *
 * @param about the proxy or reactor, beside the path
 */
export function invokeIdempotently(
  exchange: Exchange,
  caller: AuthenticatedCaller | undefined,
  about: string,
  dependencies: IdempotencyDependencies,
  invoke: Invoke,
): Promise<void> {
  const { idempotencyKey } = exchange.headers;
  if (idempotencyKey === undefined || !keyedMethods.has(exchange.request.method ?? '')) {
    return invoke(untracked);
  }
  return invokeKeyed(
    exchange,
    caller,
    [about, checkIdempotencyKey(idempotencyKey) ?? ''],
    dependencies,
    invoke,
  );
}

const keyedMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

async function invokeKeyed(
  exchange: Exchange,
  caller: AuthenticatedCaller | undefined,
  aboutAndKey: readonly string[],
  dependencies: IdempotencyDependencies,
  invoke: Invoke,
): Promise<void> {
  if (caller === undefined || caller.principal.applicationType === 'public') throw indistinguishable();
  const { tenantId, applicationId } = caller.principal;
  const path = exchange.target.path.replace(/\/+$/, '');
  const scope = scopeOf(tenantId, applicationId, exchange.request.method ?? '', path, ...aboutAndKey);
  const claim = await dependencies.claims.take(scope);
  const sealer = { vault: dependencies.vault, caller: vaultCaller(exchange, caller.apiKey), scope };
  if (Buffer.isBuffer(claim)) return replayAnswer(exchange, sealer, claim);

  const progress = trackProgress(scope);
  const recorded = recordResponse(exchange.response, dependencies.maxAnswerBytes, (response) =>
    settle(claim, response, sealer),
  );
  try {
    await invoke(progress);
    await recorded.ended;
  } catch (error) {
    recorded.stop();
    await (isKnownFailure(progress.reached, error) ? claim.release() : claim.abandon());
    throw error;
  }
}

interface Sealer {
  readonly vault: VaultClient;
  readonly caller: ReturnType<typeof vaultCaller>;
  readonly scope: Buffer;
}

async function replayAnswer(
  exchange: Exchange,
  { vault, caller, scope }: Sealer,
  sealed: Buffer,
): Promise<void> {
  const answer = decodeAnswer(await vault.openAnswer(caller, scope, sealed));
  sendResponse(exchange, { ...answer, headers: [...answer.headers, replayHeader, 'true'] });
}

/** Stores a success. Anything else has failed and may be tried again. */
async function settle(
  claim: Claim,
  { body, ...head }: Recorded,
  { vault, caller, scope }: Sealer,
): Promise<void> {
  if (head.status >= 400) return claim.release();
  if (body === undefined) return claim.answer(undefined);
  try {
    // Stored even if the client has gone away.
    const uncancelled = { ...caller, signal: new AbortController().signal };
    await claim.answer(await vault.sealAnswer(uncancelled, scope, encodeAnswer({ ...head, body })));
  } catch {
    await claim.abandon();
  }
}

/** One such caller's answer must not reach another. */
function indistinguishable(): AppError {
  return new AppError(
    'invalid_argument',
    'An idempotency key needs the API key of an application that is not public.',
  );
}
