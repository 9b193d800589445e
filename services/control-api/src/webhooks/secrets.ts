import { randomBytes } from 'node:crypto';

import { type Sealer, placeOf } from '../secrets/sealer.ts';

/** How long what is sent is signed with the secret before as well. */
export const overlapMs = 24 * 60 * 60 * 1000;

/** As Standard Webhooks writes one: the key is what the base64 after the prefix stands for. */
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
