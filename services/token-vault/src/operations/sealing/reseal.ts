import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import type { OpenItem, ResealRequest, ResealResponse } from '@glovebox/protos/vault/v1/vault';

import { type Reporting, recordOwnViolation } from '../../context/record-violation.ts';
import { keyVersionOf } from '../../crypto/envelope.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import type { Sealer } from '../../crypto/sealer.ts';
import { bindAll } from './seal-and-open.ts';

/**
 * Seals values under the newest data keys. The caller learns nothing of them: it gets nothing for one that is
 * sealed so already, or does not open.
 */
export async function reseal(
  vault: Reporting,
  sealer: Sealer,
  { items }: ResealRequest,
  { peer }: Pick<UnaryContext, 'peer'>,
): Promise<ResealResponse> {
  const sealed: Buffer[] = [];
  for (const { item, binding } of bindAll('seal', peer, items)) {
    try {
      sealed.push(await resealOne(sealer, binding, item));
    } catch (error) {
      if (!(error instanceof IntegrityViolation)) throw error;
      await recordOwnViolation(vault, binding.tenantId, error, 'use');
      sealed.push(nothing);
    }
  }
  return { sealed };
}

const nothing = Buffer.alloc(0);

async function resealOne(
  sealer: Sealer,
  binding: Parameters<Sealer['open']>[0],
  { sealed }: OpenItem,
): Promise<Buffer> {
  if ((await sealer.currentVersion(binding.tenantId)) === keyVersionOf(sealed)) return nothing;
  const plaintext = await sealer.open(binding, sealed);
  try {
    return await sealer.seal(binding, plaintext);
  } finally {
    plaintext.fill(0);
  }
}
