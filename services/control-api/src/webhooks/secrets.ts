import { randomBytes } from 'node:crypto';

import { type Sealer, placeOf } from '../secrets/sealer.ts';

/** How long deliveries are signed with the previous secret too. */
export const overlapMs = 24 * 60 * 60 * 1000;

/** In the format of Standard Webhooks: a prefix, then the key in base64. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export async function sealSecret(
  sealer: Sealer,
  { tenantId, id, number }: { readonly tenantId: string; readonly id: string; readonly number: number },
  plaintext: string,
  correlationId: string,
): Promise<Buffer> {
  const place = placeOf({ tenantId, recordId: id }, `secret.${number}`);
  const [sealed] = await sealer.seal([{ place, plaintext }], correlationId);
  return sealed as Buffer;
}
