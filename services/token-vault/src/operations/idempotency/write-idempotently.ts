import { idempotentTransaction, scopeOf } from '@glovebox/platform/db/idempotent-transaction';
import { AppError, type ErrorCode, toAppError } from '@glovebox/platform/errors/app-error';
import { answerNotKept, checkIdempotencyKey } from '@glovebox/platform/http/idempotency-key';

import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { keyVersionOf, open, seal } from '../../crypto/envelope.ts';
import { requestHash } from '../../crypto/request-hash.ts';
import {
  type StoredAnswer,
  type WriteResult,
  storedAnswerOf,
  outcomeOf,
} from '../../presentation/write-result.ts';
import { selectClientKey } from '../../store/client-keys.ts';
import { replayAnswer } from './replay-answer.ts';

/** These errors commit, because the refusal is recorded. */
const refusals: ReadonlySet<ErrorCode> = new Set(['permission_denied', 'not_found', 'conflict']);

interface WriteIdentity {
  /** The target, e.g. a token's id. With the operation, it identifies method and path. */
  readonly target: readonly string[];
  readonly body: Buffer;
}

/**
 * Runs a write, or replays the answer to the same write. With an idempotency key, all changes and the record of the
 * answer commit in one transaction. The record names tokens and does not hold them: a deleted token is not shown
 * again, and what is shown is authorized and recorded like any read.
 */
export async function writeIdempotently(
  vault: VaultContext,
  identified: IdentifiedCall,
  address: WriteIdentity,
  write: (vault: VaultContext) => Promise<WriteResult>,
): Promise<Outcome> {
  const { call, caller } = identified;
  const key = checkIdempotencyKey(call.message.idempotencyKey);
  if (key === undefined) return outcomeOf(await write(vault));
  const { tenantId } = caller;
  const scope = await scopeOfWrite(vault, identified, address, key);
  const place = { tenantId, recordId: scope.toString('hex'), field: 'answer' };
  const { retentionMs, maxAnswerBytes } = vault.idempotency;
  const outcome = await idempotentTransaction<WriteResult>({
    postgres: vault.postgres.forTenant(tenantId),
    scope,
    tenantId,
    now: Date.now(),
    lifetimeMs: retentionMs,
    beside: vault.beside.forTenant(tenantId),
    staysAfter: (error) => refusals.has(toAppError(error).code),
    work: (transaction) => write({ ...vault, postgres: transaction }),
    keep: async (result) => {
      const plaintext = Buffer.from(JSON.stringify(storedAnswerOf(result)));
      if (plaintext.length > maxAnswerBytes) return null;
      return seal(await vault.keyring.currentSealingKey(tenantId), place, plaintext);
    },
  });
  if (outcome.kind === 'done') return outcomeOf(outcome.result);
  if (outcome.answer === null) throw new AppError('conflict', answerNotKept);
  const sealingKey = await vault.keyring.sealingKey(tenantId, keyVersionOf(outcome.answer));
  const { form, tokens } = readKept(open(sealingKey, place, outcome.answer));
  if (
    form.kind === 'key' &&
    (await selectClientKey(vault.postgres.forTenant(tenantId), tenantId, form.id)) === undefined
  ) {
    throw new AppError(
      'conflict',
      'The request with this idempotency key has succeeded before. The key does not exist any more.',
    );
  }
  const replayed = outcomeOf({ form, tokens: await replayAnswer(vault, identified, tokens) });
  call.markReplayed();
  return replayed;
}

/** Earlier versions have kept the answer itself, for a day: what it says may be gone by now. */
function readKept(plaintext: Buffer): StoredAnswer {
  if (plaintext[0] !== openingBrace) {
    throw new AppError(
      'conflict',
      'The request with this idempotency key has succeeded before. Its answer cannot be repeated.',
    );
  }
  const answer: StoredAnswer = JSON.parse(plaintext.toString());
  return answer;
}

const openingBrace = 0x7b;

/**
 * The visitors of a page share a public application. With another body it is another request, so none sees another's
 * answer.
 */
async function scopeOfWrite(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  { target, body }: WriteIdentity,
  key: string,
): Promise<Buffer> {
  const { tenantId, applicationId, applicationType } = caller;
  const parts = [tenantId, applicationId, call.operation, ...target, key];
  if (applicationType !== 'public' && call.message.idempotencyByBody !== true) return scopeOf(...parts);
  const keys = await vault.keyring.indexKeys(tenantId);
  return scopeOf(...parts, requestHash(keys.request, body));
}
