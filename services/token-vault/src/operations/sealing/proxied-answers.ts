import { AppError } from '@glovebox/platform/errors/app-error';
import type { OpenAnswer, SealAnswer } from '@glovebox/protos/vault/v1/vault';

import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { type Binding, keyVersionOf, open, seal } from '../../crypto/envelope.ts';

/** Seals the answer to an invocation with an idempotency key. The gateway stores it and cannot read it. */
export async function sealAnswer(
  vault: VaultContext,
  identified: IdentifiedCall,
  { scope, plaintext }: SealAnswer,
): Promise<Outcome> {
  if (plaintext.length > vault.idempotency.maxAnswerBytes) {
    throw new AppError('too_large', 'The answer is too large to be kept.');
  }
  const place = placeOf(identified, scope);
  const sealingKey = await vault.keyring.currentSealingKey(place.tenantId);
  return { $case: 'answer', value: { value: seal(sealingKey, place, plaintext) } };
}

export async function openAnswer(
  vault: VaultContext,
  identified: IdentifiedCall,
  { scope, sealed }: OpenAnswer,
): Promise<Outcome> {
  const place = placeOf(identified, scope);
  const sealingKey = await vault.keyring.sealingKey(place.tenantId, keyVersionOf(sealed));
  return { $case: 'answer', value: { value: open(sealingKey, place, sealed) } };
}

/** A compromised gateway can open only answers of applications whose keys pass through it. */
function placeOf({ caller }: IdentifiedCall, scope: Buffer): Binding {
  if (scope.length !== 32) throw new AppError('invalid_argument', 'The scope must be a SHA-256.');
  const recordId = `${caller.applicationId}/${scope.toString('hex')}`;
  return { tenantId: caller.tenantId, recordId, field: 'proxied-answer' };
}
